// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.BlockPlacement;
import io.nvcache.Checksum;
import io.nvcache.DebugCheck;
import io.nvcache.PolicyPreset;
import io.nvcache.TestHook;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.FlashArray;
import io.nvcache.medium.FlashDrive;
import io.nvcache.medium.ForeignFile;
import io.nvcache.medium.Medium;
import io.nvcache.stress.InjectingMedium.Addresses;
import io.nvcache.stress.StressRun.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Builds the cache of a round, another one each time, as the seed wills. */
final class StressRound {
  /** A call that is inside for longer hangs. */
  static final Duration STUCK_AFTER = Duration.ofMillis(1_500);

  /** Of drives: a few blocks long, so that even a small one has many. */
  private static final int REGION_BYTES = 4 * StressBlock.MAX_BYTES;

  private static final long STALL_MILLIS = 5_000;
  private static final Duration BACK_OFF = Duration.ofMillis(50);

  private final Settings settings;
  private final Map<StressFault, LongAdder> injected;
  private final AtomicInteger openMedia = new AtomicInteger();
  private boolean pinsInPlace;

  /** Where the newest cache lies. */
  private List<Path> files = List.of();

  StressRound(Settings settings, Map<StressFault, LongAdder> injected) {
    this.settings = settings;
    this.injected = injected;
  }

  BlockCache build(int round, SplittableRandom random) throws IOException {
    List<Path> places = places(round);
    boolean onDrives = places.size() > 1;
    Medium sound =
        onDrives
            ? openDrives(places)
            : settings
                .medium()
                .open(places.isEmpty() ? null : places.get(0), 1, settings.mediumBytes());
    files = places;
    Addresses addresses = addresses(round, random);
    // Pins in regions are copies: where pins in place are looked for, there are none.
    boolean drawn =
        addresses == Addresses.HIDDEN && !sound.readsWholeBlocks() && random.nextBoolean();
    boolean inRegions = drawn || onDrives;
    pinsInPlace |= addresses == Addresses.SHOWN && sound.address(0, 1) != 0;
    Medium medium =
        new InjectingMedium(
            sound,
            addresses,
            settings.faults(),
            settings.faultRate(),
            STALL_MILLIS,
            injected,
            openMedia::decrementAndGet);
    openMedia.incrementAndGet();
    try {
      BlockCacheBuilder builder = builder(medium, random);
      if (inRegions) {
        builder.placement(BlockPlacement.REGIONS);
      }
      return builder.build();
    } catch (RuntimeException | Error e) {
      medium.close();
      throw e;
    }
  }

  /**
   * Pins are on the medium's memory only if its addresses are known, and then reads suffer no
   * faults; so both, in turn at first and then at random.
   */
  private Addresses addresses(int round, SplittableRandom random) {
    boolean shown = round < 2 ? round == 0 : random.nextBoolean();
    return shown || settings.faults().stream().noneMatch(StressFault::befallsReads)
        ? Addresses.SHOWN
        : Addresses.HIDDEN;
  }

  private Medium openDrives(List<Path> places) throws IOException {
    return FlashArray.create(
        FlashDrive.sharing(places, settings.mediumBytes()),
        REGION_BYTES,
        CloseAction.DELETE,
        path -> ForeignFile.REFUSED);
  }

  /** Deletes the file of a drive, if there are several: a cache gets by without it. */
  boolean pullDrive(SplittableRandom random) throws IOException {
    return files.size() > 1 && Files.deleteIfExists(files.get(random.nextInt(files.size())));
  }

  /** Returns the round's places: the last one's cache may still be closing. */
  List<Path> places(int round) {
    return settings.paths().stream()
        .map(
            path ->
                Files.isDirectory(path)
                    ? path.resolve("round-" + round)
                    : path.resolveSibling(path.getFileName() + "-" + round))
        .toList();
  }

  private BlockCacheBuilder builder(Medium medium, SplittableRandom random) {
    BlockCacheBuilder builder =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(StressBlock.MAX_BYTES)
            .expectedBlockBytes(1 << 10 << random.nextInt(3))
            .maxPinnedBytes(maxPinnedBytes())
            .testing(TestHook.hashSeed(random.nextLong()))
            .mediumStuckAfter(STUCK_AFTER)
            .mediumBackOff(BACK_OFF)
            .testing(TestHook.debug(debugChecks(random)));
    PolicyPreset[] presets = PolicyPreset.values();
    builder.policies(presets[random.nextInt(presets.length)]);
    if (random.nextInt(3) > 0) {
      builder.admission(AdmissionPresets.admitAll()); // Or few blocks would ever meet.
    }
    if (settings.faults().stream().anyMatch(StressFault::corrupts)) {
      builder.checksum(Checksum.CRC32C);
    } else if (random.nextBoolean()) {
      builder.checksum(random.nextBoolean() ? Checksum.CRC32C : Checksum.NONE);
    }
    return builder;
  }

  private static DebugCheck[] debugChecks(SplittableRandom random) {
    return switch (random.nextInt(4)) {
      case 0 -> DebugCheck.values();
      case 1 -> new DebugCheck[] {DebugCheck.CHECK_INDEX};
      default -> new DebugCheck[0];
    };
  }

  /** Media that were opened and not closed yet. */
  int openMedia() {
    return openMedia.get();
  }

  /** Whether pins on the memory of a medium were possible so far. */
  boolean pinsInPlace() {
    return pinsInPlace;
  }

  long maxPinnedBytes() {
    return settings.mediumBytes() / 16;
  }
}
