// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.RestoreLoss;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.medium.Medium;
import io.nvcache.medium.SparseMedium;
import io.nvcache.medium.drives.SparseDrives;
import io.nvcache.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Media of all sizes up to 16 TiB, however they are divided: what is put in comes back. */
@Timeout(120)
final class LargeMediaTest {
  private static final int PAGE = 4096;
  private static final long MOST_BYTES = 16L << 40;
  private static final int MOST_REGIONS = 1 << 16;
  private static final int MOST_BLOCK_BYTES = 16 << 20;
  private static final int MOST_EXPECTED = 1 << 20;
  private static final long WRITTEN_BYTES = 8 << 20;
  private static final FileIdentity IDENTITY = FileIdentity.of("test", "large");

  /** How a medium is used. */
  private record Use(
      long capacityBytes,
      int alignmentBytes,
      int regionBytes,
      int maxBlockBytes,
      BlockPlacement placement) {
    SparseMedium medium() {
      return new SparseMedium(capacityBytes, alignmentBytes, regionBytes);
    }

    BlockCache open(Medium medium) {
      long expected = Math.max(256, Math.min(maxBlockBytes, capacityBytes / MOST_EXPECTED));
      return BlockCache.builder()
          .medium(medium)
          .placement(placement)
          .maxBlockBytes(maxBlockBytes)
          .expectedBlockBytes((int) expected) // Keeps the index small.
          .maintainedByCaller()
          .admission(AdmissionPresets.admitAll())
          .build();
    }

    /** Returns the longest blocks and short ones, and those that just fill so many granules. */
    List<Integer> lengths(SplittableRandom random) {
      List<Integer> lengths = new ArrayList<>();
      long sum = 0;
      while (sum < WRITTEN_BYTES && lengths.size() < 300) {
        int length =
            switch (random.nextInt(8)) {
              case 0 -> 1 + random.nextInt(Math.min(maxBlockBytes, 100));
              case 1 -> maxBlockBytes;
              case 2 -> Math.max(1, maxBlockBytes - 32 + random.nextInt(32));
              default -> 1 + random.nextInt(maxBlockBytes);
            };
        lengths.add(length);
        sum += length;
      }
      return lengths;
    }
  }

  static LongStream sizes() {
    return LongStream.iterate(4 << 20, size -> size <= MOST_BYTES, size -> 2 * size);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void shouldKeepBlocksInRegionsOverARestart(long capacity) {
    int least = (int) Math.max(64 << 10, capacity / MOST_REGIONS);
    Use use = new Use(capacity, PAGE, least, longest(capacity), BlockPlacement.REGIONS);
    checkRegions(use, new SplittableRandom(capacity));
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void shouldKeepBlocksInPlace(long capacity) {
    Use use = new Use(capacity, PAGE, 0, longest(capacity), BlockPlacement.IN_PLACE);
    checkInPlace(use, new SplittableRandom(capacity));
  }

  private static int longest(long capacity) {
    return (int) Math.min(1 << 20, capacity / 256);
  }

  /** Where a granule is longer than the header of a region is. */
  @ParameterizedTest
  @CsvSource({"128, 16", "1024, 16", "512, 4", "4096, 4", "2048, 2"})
  void shouldKeepBlocksOfManyMebibytes(long gibibytes, int mebibytes) {
    long capacity = gibibytes << 30;
    Use use = new Use(capacity, PAGE, 64 << 20, mebibytes << 20, BlockPlacement.REGIONS);
    checkRegions(use, new SplittableRandom(capacity));
    checkInPlace(
        new Use(capacity, PAGE, 0, mebibytes << 20, BlockPlacement.IN_PLACE),
        new SplittableRandom(capacity));
  }

  @Test
  void shouldKeepBlocksHoweverTheMediumIsDivided() {
    Seeds.each(
        20,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed.nextLong());
          int magnitude = 22 + random.nextInt(22);
          long capacity = (1L << magnitude) + random.nextLong(1L << magnitude) / PAGE * PAGE;
          int longest = longest(capacity, random);
          int region =
              Math.max(
                  64 << 10 << random.nextInt(11),
                  Integer.highestOneBit((int) (capacity / MOST_REGIONS) | 1));
          checkRegions(
              new Use(capacity, 512 << random.nextInt(4), region, longest, BlockPlacement.REGIONS),
              random);
          checkInPlace(
              new Use(capacity, 512 << random.nextInt(4), 0, longest, BlockPlacement.IN_PLACE),
              random);
        });
  }

  /** As long as the capacity has room for many and their number finds room in memory. */
  private static int longest(long capacity, SplittableRandom random) {
    long most = Math.min(capacity / 256, MOST_BLOCK_BYTES);
    while (capacity > (64L << 10) << (48 - (64 - Long.numberOfLeadingZeros(most - 1)))) {
      most /= 2; // One cache manages no more.
    }
    long least = Math.max(PAGE, Math.min(most, capacity >>> 21));
    return (int) Math.max(least, Math.min(most, least << random.nextInt(13)));
  }

  /** A half of them on one drive, and a quarter on each of two others. */
  @ParameterizedTest
  @MethodSource("sizes")
  void shouldKeepBlocksOnSeveralDrivesOverARestart(long capacity) throws IOException {
    int longest = longest(capacity);
    int least = Integer.highestOneBit(8 * longest - 1);
    int region = Math.max(least, (int) Math.min(64 << 20, Long.highestOneBit(capacity / 128)));
    Use use = new Use(capacity, PAGE, region, longest, BlockPlacement.REGIONS);
    List<SparseMedium> drives = new ArrayList<>();
    for (int share : new int[] {2, 4, 4}) {
      int regions = (int) ((capacity - 1) / share / region); // With superblocks no more than it.
      drives.add(new SparseMedium(SparseDrives.capacityBytes(regions, region), PAGE, region));
    }
    checkRegions(
        use,
        SparseDrives.open(places(drives), region),
        () ->
            SparseDrives.open(
                places(drives.stream().map(SparseMedium::afterKill).toList()), region),
        new SplittableRandom(capacity));
  }

  private static List<SparseDrives.Place> places(List<SparseMedium> drives) {
    return drives.stream()
        .map(drive -> new SparseDrives.Place(drive.describe(), drive.capacityBytes(), drive))
        .toList();
  }

  /** Opens what a kill leaves. */
  @FunctionalInterface
  private interface Reopening {
    Medium open() throws IOException;
  }

  private static void checkRegions(Use use, SplittableRandom random) {
    SparseMedium medium = use.medium();
    try {
      checkRegions(use, medium, medium::afterKill, random);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void checkRegions(
      Use use, Medium medium, Reopening afterKill, SplittableRandom random) throws IOException {
    List<Integer> lengths;
    try (BlockCache cache = use.open(medium)) {
      lengths = fill(use, cache, random);
      assertThat(cache.stats().mediumFailures()).as("%s", use).isZero();
    }
    try (BlockCache cache = use.open(afterKill.open())) {
      cache.identify(2, IDENTITY);
      cache.control().maintain();
      assertThat(cache.control().restore().state()).as("%s", use).isEqualTo(State.RESTORED);
      assertThat(cache.control().restore().lostRegions().keySet())
          .as("%s", use)
          .containsOnly(RestoreLoss.BLANK);
      checkAll(use, cache, 2, lengths);
    }
  }

  private static void checkInPlace(Use use, SplittableRandom random) {
    try (BlockCache cache = use.open(use.medium())) {
      fill(use, cache, random);
    }
  }

  private static List<Integer> fill(Use use, BlockCache cache, SplittableRandom random) {
    cache.identify(1, IDENTITY);
    List<Integer> admitted = new ArrayList<>();
    for (int length : use.lengths(random)) {
      if (cache.stats().usedBytes() > use.capacityBytes / 2) {
        break; // Before any block gives way.
      }
      OfferResult result = offer(use, cache, admitted.size(), length);
      assertThat(result).as("%s: block %d", use, admitted.size()).isEqualTo(OfferResult.ADMITTED);
      admitted.add(length);
    }
    checkAll(use, cache, 1, admitted);
    return admitted;
  }

  private static OfferResult offer(Use use, BlockCache cache, int block, int length) {
    long offset = (long) block * use.maxBlockBytes;
    return cache.offer(1, offset, ByteBuffer.wrap(bytes(block, length)), Source.READ);
  }

  private static void checkAll(Use use, BlockCache cache, long fileId, List<Integer> lengths) {
    ByteBuffer dst = ByteBuffer.allocate(use.maxBlockBytes);
    for (int block = 0; block < lengths.size(); block++) {
      int length = lengths.get(block);
      assertThat(cache.get(fileId, (long) block * use.maxBlockBytes, dst.clear()))
          .as("%s: block %d", use, block)
          .isEqualTo(length);
      assertThat(dst.flip().equals(ByteBuffer.wrap(bytes(block, length))))
          .as("%s: bytes of block %d", use, block)
          .isTrue();
    }
    assertThat(cache.stats().usedBytes()).as("%s", use).isPositive();
    assertThat(cache.control().ledger().contradictions()).as("%s", use).isEmpty();
  }

  /** Mostly zeros, which a sparse medium does not keep; what is not is all over the block. */
  private static byte[] bytes(int block, int length) {
    byte[] bytes = new byte[length];
    SplittableRandom random = new SplittableRandom(31L * block + length);
    for (int i = 0; i < 16; i++) {
      bytes[random.nextInt(length)] = (byte) random.nextInt();
    }
    bytes[0] = (byte) block;
    bytes[length - 1] = (byte) (block >>> 1 | 1);
    return bytes;
  }
}
