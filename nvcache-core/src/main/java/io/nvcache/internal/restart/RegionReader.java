// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.control.RestoreLoss;
import io.nvcache.internal.regions.RegionCodec;
import io.nvcache.internal.regions.RegionFooter;
import io.nvcache.internal.regions.RegionLayout;
import io.nvcache.internal.regions.Superblock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a cache wrote next to the blocks of its regions, and judges it; see {@link
 * RegionLayout}. Changes nothing.
 *
 * <p>Used by one thread at a time: its buffers serve for all regions, since those that a terabyte's
 * regions would leave behind are several times its index.
 */
public final class RegionReader {
  private static final int HEADER = RegionLayout.REGION_HEADER_BYTES;

  private final Bytes bytes;
  private final UUID instance;
  private final Superblock.Geometry geometry;
  private final long generationLimit;
  private final RegionCodec codec;
  private final ByteBuffer ends = ByteBuffer.allocate(HEADER + RegionFooter.TAIL_BYTES);
  private ByteBuffer footer = ByteBuffer.allocate(0);

  /** Where a medium's bytes are, from its superblocks on. */
  @FunctionalInterface
  public interface Bytes {
    /** Reads into a buffer, whose position and limit mean nothing. */
    void read(long offset, ByteBuffer dst, int dstPosition, int length) throws IOException;
  }

  /** Reads the regions that a superblock speaks of. */
  public RegionReader(Bytes bytes, Superblock superblock, RegionCodec codec) {
    this.bytes = bytes;
    this.instance = superblock.instance();
    this.geometry = superblock.geometry();
    this.generationLimit = superblock.generationLimit();
    this.codec = codec;
  }

  /**
   * A region that was looked at.
   *
   * @param loss why it can't be restored; null if its header and the end of its footer agree
   * @param generation in its header; -1 if that is not valid
   * @param footerBytes the length of its footer, if it is complete
   */
  public record Found(@Nullable RestoreLoss loss, int region, long generation, int footerBytes) {}

  /** Looks at the header of a region and the end of its footer. */
  public Found look(int region) throws IOException {
    long at = RegionLayout.regionOffset(region, geometry.regionBytes());
    bytes.read(at, ends, 0, HEADER);
    long tailAt = at + geometry.regionBytes() - RegionFooter.TAIL_BYTES;
    bytes.read(tailAt, ends, HEADER, RegionFooter.TAIL_BYTES);
    return switch (RegionLayout.judgeRegionHeader(
        ends, 0, instance, region, geometry.regionBytes(), codec, generationLimit)) {
      case FOREIGN -> new Found(RestoreLoss.BLANK, region, -1, 0);
      case DAMAGED -> new Found(RestoreLoss.DAMAGED, region, -1, 0);
      case VALID -> lookAtFooter(region);
    };
  }

  private Found lookAtFooter(int region) {
    long generation = RegionLayout.regionGeneration(ends, 0);
    RegionFooter.Tail tail = RegionFooter.tail(ends, ends.capacity(), instance, geometry);
    RestoreLoss loss = null;
    if (tail.footerBytes() == 0) {
      loss = RestoreLoss.UNFINISHED;
    } else if (tail.generation() != generation) {
      loss = RestoreLoss.OVERWRITTEN;
    }
    return new Found(loss, region, generation, tail.footerBytes());
  }

  /**
   * Reads the footer of a region that is complete; null if it is damaged after all. It may be used
   * until the next one is read.
   */
  public @Nullable RegionFooter readFooter(Found found) throws IOException {
    if (footer.capacity() < found.footerBytes) {
      footer = ByteBuffer.allocate(found.footerBytes);
    }
    footer.clear().limit(found.footerBytes);
    long end = RegionLayout.regionOffset(found.region, geometry.regionBytes());
    end += geometry.regionBytes();
    bytes.read(end - found.footerBytes, footer, 0, found.footerBytes);
    if (!codec.openFooter(footer, found.region, found.generation)) {
      return null;
    }
    return RegionFooter.decode(footer, instance, found.region, found.generation, geometry);
  }

  /** Says of regions that were looked at whether a superblock lets them be restored. */
  public static final class Judge {
    private final Superblock superblock;
    private final Set<Integer> free;

    /** Judges by what a superblock says. */
    public Judge(Superblock superblock) {
      this.superblock = superblock;
      this.free = new HashSet<>(superblock.freeRegions());
    }

    /** Returns why a region is not restored; null if it is. */
    public @Nullable RestoreLoss loss(Found found) {
      if (found.loss != null) {
        return found.loss;
      }
      if (found.generation >= superblock.generationLimit()) {
        return RestoreLoss.DAMAGED; // The superblock is older than what it speaks of.
      }
      if (found.generation < superblock.floor()) {
        return RestoreLoss.INVALIDATED;
      }
      boolean wasFree =
          free.contains(found.region) && found.generation <= superblock.headGeneration();
      return wasFree ? RestoreLoss.UNFINISHED : null;
    }
  }
}
