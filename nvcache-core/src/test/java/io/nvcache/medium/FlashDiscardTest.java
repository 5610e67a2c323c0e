// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.FileIdentity;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import io.nvcache.TestBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Discards on a real file and a real block device; on JDK 22 and later. */
@Timeout(120)
final class FlashDiscardTest {
  private static final int CAPACITY = 8 << 20;
  private static final int PIECE = 1 << 20;
  private static final int PAGE = 4096;
  private static final int LENGTH = 4000;
  private static final int BLOCKS = 800;

  /** File systems keep their own books in blocks of the file. */
  private static final int BOOKS = 64 << 10;

  /** Whether the class path has the part for JDK 22 and later, which a JDK 17 can't compile. */
  private static final boolean HAS_FOREIGN =
      FlashDiscardTest.class.getResource("/io/nvcache/memory/ForeignHoles.class") != null;

  @TempDir Path directory;

  private static ByteBuffer bytes(int seed, int length) {
    return TestBlock.of(seed, 0, length);
  }

  private static void assertHolds(Medium medium, long offset, ByteBuffer expected)
      throws IOException {
    ByteBuffer read = ByteBuffer.allocate(expected.remaining());
    medium.read(offset, read, read.capacity());
    assertThat(read).isEqualTo(expected);
  }

  @Test
  void shouldSayWhatIsMissingOnOlderJdks() throws IOException {
    assumeThat(HAS_FOREIGN).isFalse();
    Path file = directory.resolve("f");
    assertThatThrownBy(
            () -> BlockCache.builder().flash(file, CAPACITY).discardBytesPerSecond(1).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("discardBytesPerSecond is 1, and this JVM (")
        .hasMessageContaining("run and build it with JDK 22 or later; or set it to 0");
    FlashMedium.create(file, CAPACITY).close(); // It was given up.
  }

  @Test
  void shouldGiveTheSpaceOfAFileBack() throws Exception {
    assumeThat(HAS_FOREIGN).isTrue();
    Path file = directory.resolve("f");
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      for (int piece = 0; piece < CAPACITY / PIECE; piece++) {
        medium.write((long) piece * PIECE, bytes(piece, PIECE));
      }
      long before = SystemCommands.allocatedBytes(file);
      long size = Files.size(file);
      assertThatThrownBy(() -> medium.discard(0, PIECE))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("was not made ready for discards");

      medium.prepareDiscards();
      assertThat(SystemCommands.allocatedBytes(file)).isEqualTo(before);
      medium.discard(2L * PIECE, 3L * PIECE);
      medium.persist(0, CAPACITY);

      assertThat(SystemCommands.allocatedBytes(file))
          .isLessThanOrEqualTo(before - 3L * PIECE + BOOKS);
      assertThat(Files.size(file)).isEqualTo(size);
      medium.check();
      assertHolds(medium, PIECE, bytes(1, PIECE));
      assertHolds(medium, 2L * PIECE, ByteBuffer.allocate(3 * PIECE));
      assertHolds(medium, 5L * PIECE, bytes(5, PIECE));
      medium.write(3L * PIECE, bytes(9, PIECE));
      assertHolds(medium, 3L * PIECE, bytes(9, PIECE));
      assertHolds(medium, 4L * PIECE, ByteBuffer.allocate(PIECE));
      assertThatThrownBy(() -> medium.discard(512, PIECE))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("offset is 512");
      assertThatThrownBy(() -> medium.discard(CAPACITY - PIECE, 2L * PIECE))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      assertHolds(medium, 5L * PIECE, bytes(5, PIECE)); // Not filled anew.
    }
  }

  private static BlockCacheBuilder builder(Path file) {
    return BlockCache.builder()
        .flash(file, CAPACITY)
        .maxBlockBytes(PAGE)
        .expectedBlockBytes(PAGE / 4) // Room in the index, whatever its seed.
        .policies(PolicyPreset.ADMIT_ALL)
        .maintainedByCaller()
        .discardBytesPerSecond(Long.MAX_VALUE);
  }

  private static void fill(BlockCache cache, long file) {
    cache.identify(file, FileIdentity.of("test", Long.toString(file)));
    for (long offset = 0; offset < (long) BLOCKS * PAGE; offset += PAGE) {
      cache.offer(file, offset, TestBlock.of(file, offset, LENGTH), Source.READ);
    }
  }

  private static int hits(BlockCache cache, long file) {
    int hits = 0;
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    for (long offset = 0; offset < (long) BLOCKS * PAGE; offset += PAGE) {
      if (cache.get(file, offset, dst.clear()) != BlockCache.MISS) {
        TestBlock.assertMatches(dst.flip(), file, offset, LENGTH);
        hits++;
      }
    }
    return hits;
  }

  @Test
  void shouldGiveTheSpaceOfDeadRegionsBackAndRestartWithTheOthers() throws Exception {
    assumeThat(HAS_FOREIGN).isTrue();
    Path file = directory.resolve("f");
    long discarded;
    try (BlockCache cache = builder(file).build()) {
      fill(cache, 7);
      fill(cache, 8);
      long before = SystemCommands.allocatedBytes(file);
      cache.invalidateFile(7);
      cache.control().maintain();
      cache.control().maintain();
      discarded = cache.stats().discardedBytes();
      assertThat(discarded).isGreaterThan((long) BLOCKS * PAGE / 2);
      assertThat(SystemCommands.allocatedBytes(file))
          .isLessThanOrEqualTo(before - discarded + BOOKS);
      assertThat(hits(cache, 8)).isEqualTo(BLOCKS);
    }
    try (BlockCache cache = builder(file).build()) {
      cache.control().maintain();
      cache.identify(7, FileIdentity.of("test", "7"));
      cache.identify(8, FileIdentity.of("test", "8"));
      assertThat(hits(cache, 8)).isEqualTo(BLOCKS);
      assertThat(hits(cache, 7)).isLessThan(BLOCKS / 10);
      fill(cache, 9);
      assertThat(hits(cache, 9)).isEqualTo(BLOCKS);
      assertThat(cache.control().health().checksumFailures()).isZero();
      assertThat(cache.stats().discardFailures()).isZero();
    }
  }

  /** A loop device over a file punches holes into that. Needs root. */
  @Test
  void shouldDiscardOnABlockDevice() throws Exception {
    assumeThat(HAS_FOREIGN).isTrue();
    Path image = directory.resolve("image");
    Files.write(image, new byte[2 * CAPACITY]);
    Process losetup =
        new ProcessBuilder("losetup", "--show", "-f", image.toString())
            .redirectErrorStream(true)
            .start();
    String output = new String(losetup.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assumeThat(losetup.waitFor()).as(output).isZero();
    Path device = Path.of(output.strip());
    try (Medium medium = FlashMedium.create(device, CAPACITY)) {
      for (int piece = 0; piece < CAPACITY / PIECE; piece++) {
        medium.write((long) piece * PIECE, bytes(piece, PIECE));
      }
      medium.persist(0, CAPACITY);
      SystemCommands.run("sync", image.toString());
      long before = SystemCommands.allocatedBytes(image);
      medium.prepareDiscards();
      medium.discard(2L * PIECE, 3L * PIECE);
      assertHolds(medium, 2L * PIECE, ByteBuffer.allocate(3 * PIECE));
      assertHolds(medium, PIECE, bytes(1, PIECE));
      assertHolds(medium, 5L * PIECE, bytes(5, PIECE));
      SystemCommands.run("sync", image.toString());
      assertThat(SystemCommands.allocatedBytes(image))
          .isLessThanOrEqualTo(before - 3L * PIECE + BOOKS);
    } finally {
      SystemCommands.run("losetup", "-d", device.toString());
    }
  }

  @Test
  void shouldNotTakeAnotherFileThatLiesAtThePathByNow() throws Exception {
    assumeThat(HAS_FOREIGN).isTrue();
    Path file = directory.resolve("f");
    try (Medium medium = FlashMedium.create(file, CAPACITY)) {
      Files.move(file, directory.resolve("moved"));
      Files.write(file, new byte[CAPACITY]);
      long before = SystemCommands.allocatedBytes(file);
      assertThatThrownBy(medium::prepareDiscards)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it was replaced while it was opened");
      assertThat(SystemCommands.allocatedBytes(file)).isEqualTo(before);
    }
  }
}
