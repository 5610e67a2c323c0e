// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.FileIdentity;
import io.nvcache.internal.guard.GuardSettings;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.regions.AppendLog;
import io.nvcache.internal.regions.RegionCodec;
import io.nvcache.internal.regions.RegionFooter;
import io.nvcache.internal.regions.RegionSpace;
import io.nvcache.internal.regions.RegionTable;
import io.nvcache.internal.regions.Superblock;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.Medium;
import io.nvcache.medium.SparseMedium;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Has the blocks of a region taken down in a heap that has no room for so many. */
final class ScarceRecords {
  private static final int PAGE = 4096;
  private static final int GRANULE = 256;
  private static final int REGION = 64 << 20;
  private static final int PIECE = 256 << 10;

  /** So many are taken down in arrays that were grown before; what is next needs megabytes. */
  private static final int FEW = 130_000;

  private static final int BLOCKS = FEW + 8_000;

  private final Sizing sizing =
      new Sizing(Sizing.Cut.REGIONS, GRANULE, REGION, 17L * REGION, GRANULE, PAGE);
  private final Medium medium = new SparseMedium(sizing.capacityBytes() + REGION, PAGE, REGION);
  private final UUID instance = new UUID(1, 2);
  private final BlockIndex index = new BlockIndex(1 << 18, 3);
  private final FileTable files = new FileTable();
  private final AppendLog log =
      new AppendLog(new RegionTable(sizing), sizing, PAGE, instance, RegionCodec.CLEAR);
  private final RegionSpace space =
      new RegionSpace(
          medium,
          log,
          index,
          RegionCodec.CLEAR,
          new EngineSettings(),
          new MediumGuard(GuardSettings.STANDARD, new StripedCounters(), System::nanoTime),
          1 << 20);
  private final FileIdentities identities = new FileIdentities(files, index.slots());
  private final RegionRecords records =
      new RegionRecords(
          new BlockTables(
              index, files, log.locations(), new MediumSpace(medium, log.locations()), space),
          space,
          identities,
          new DurableRegions(
              medium, log, sizing, new RestartIdentity(instance, 3, null, "", RegionCodec.CLEAR)));
  private int failures;

  private ScarceRecords() {}

  public static void main(String[] args) throws Exception {
    new ScarceRecords().run();
  }

  private void run() throws Exception {
    identities.identify(1, FileIdentity.of("test", "file"));
    ByteBuffer block = ByteBuffer.allocate(100);
    int listed = 0;
    for (int i = 0; i < BLOCKS; i++) {
      long location = log.append(block.capacity());
      long hash = index.hash(BucketLayout.key(files.acquire(1, 0), (long) i * PAGE));
      space.put(location, hash, 0, block, 0, block.capacity());
      if (i > FEW
          && index.insertHash(hash, location, 0, 0, new Unheard()) == BlockIndex.Insertion.DONE) {
        listed++;
      }
      log.committed(location, block.capacity());
      while (log.wantsFlush()) {
        takeDown(log.chunkBytes(), i > FEW);
        log.passFlushed();
      }
    }
    takeDown(log.pendingBytes(), true);
    int bytes = records.seal();
    ByteBuffer footer = ByteBuffer.allocate(bytes);
    medium.read(2L * PAGE + REGION - bytes, footer, bytes);
    RegionFooter read =
        RegionFooter.decode(footer, instance, 0, 0, Superblock.Geometry.of(sizing, PAGE));
    System.out.println(
        "failed "
            + (failures > 2 ? "several times" : failures)
            + ", lists "
            + (read == null ? "nothing" : read.blocks() == listed ? "all" : read.blocks()));
  }

  /** Tries with a little more heap each time. */
  private void takeDown(int bytes, boolean isScarce) {
    for (int left = isScarce ? 2 : 1 << 10; !takesDown(bytes, left); left++) {
      failures++;
    }
  }

  private boolean takesDown(int bytes, int left) {
    byte[][] ballast = new byte[1 << 10][];
    int pieces = 0;
    try {
      while (left < ballast.length && pieces < ballast.length) {
        ballast[pieces] = new byte[PIECE];
        pieces++;
      }
    } catch (OutOfMemoryError full) {
      for (int i = 0; i < left; i++) {
        ballast[--pieces] = null;
      }
    }
    try {
      records.takeDown(bytes);
      return true;
    } catch (OutOfMemoryError meant) {
      return ballast.length == 0;
    }
  }

  /** No policy. */
  private static final class Unheard implements BlockIndex.SlotListener {
    @Override
    public void inserted(int slot) {}

    @Override
    public void removed(int slot, long key) {}
  }
}
