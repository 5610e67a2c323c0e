// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.medium.MediumContract;
import io.nvcache.memory.RawMemory;
import io.nvcache.testing.Race;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NeedsPmdk
final class LlplHeapMediumTest extends MediumContract {
  private static final long MIB = 1 << 20;

  /** Chunks of 1 MiB, so that a small heap has several. */
  private static final int SMALL_CHUNKS = 20;

  @TempDir Path directory;

  @Override
  protected Medium open(long capacityBytes) throws IOException {
    return LlplHeapMedium.create(directory.resolve("contract"), capacityBytes);
  }

  private Path file() {
    return directory.resolve("heap");
  }

  private static ByteBuffer bytes(int seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  @ParameterizedTest
  @ValueSource(longs = {255, 0, -4096})
  void shouldRefuseACapacityOfLessThanOneLine(long capacity) {
    assertThatThrownBy(() -> LlplHeapMedium.create(file(), capacity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBytes is " + capacity);
  }

  @Test
  void shouldRoundTheCapacityDownToWholeLines() throws IOException {
    try (Medium medium = LlplHeapMedium.create(file(), 1000)) {
      assertThat(medium.capacityBytes()).isEqualTo(768);
      assertThat(medium.alignmentBytes()).isEqualTo(256);
      medium.write(0, bytes(1, 768));
    }
  }

  @Test
  void shouldReadAndWriteAcrossChunks() throws IOException {
    ByteBuffer source = bytes(7, 3 << 20);
    try (Medium medium =
        LlplHeapMedium.builder(4 * MIB).file(file()).chunkShift(SMALL_CHUNKS).create()) {
      for (boolean direct : new boolean[] {false, true}) {
        ByteBuffer target =
            direct ? ByteBuffer.allocateDirect(3 << 20) : ByteBuffer.allocate(3 << 20);
        source.position(5);
        target.position(3);

        medium.write(MIB - 100, source);
        medium.persist(0, 4 * MIB);
        medium.read(MIB - 100, target, (3 << 20) - 5);

        assertThat(source.position()).isEqualTo(5);
        assertThat(target.position()).isEqualTo(3);
        assertThat(target.slice(3, (3 << 20) - 5)).isEqualTo(source);
      }
    }
  }

  @Test
  void shouldShowTheAddressOfAlignedRangesWithinOneChunk() throws IOException {
    try (Medium medium =
        LlplHeapMedium.builder(3 * MIB + 512).file(file()).chunkShift(SMALL_CHUNKS).create()) {
      for (long chunk = 0; chunk < 3; chunk++) {
        long address = medium.address(chunk * MIB, MIB);
        assertThat(address).isNotZero();
        assertThat(address % 4096).isZero();
        assertThat(medium.address(chunk * MIB + 700, 10)).isEqualTo(address + 700);
        medium.write(chunk * MIB + 4096, ByteBuffer.wrap(new byte[] {(byte) (chunk + 1)}));
        assertThat(RawMemory.getByte(address + 4096)).isEqualTo((byte) (chunk + 1));
      }
      assertThat(medium.address(3 * MIB, 512)).as("the short last chunk").isNotZero();
      assertThat(medium.address(MIB - 1, 2)).as("across two chunks").isZero();
      assertThat(medium.address(0, 0)).isZero();
    }
  }

  @Test
  void shouldHoldEveryByteOfItsCapacityInChunksOfTheRealLength() throws IOException {
    long capacity = (128 + 3) * MIB;
    try (Medium medium = LlplHeapMedium.create(file(), capacity)) {
      assertThat(medium.address(64 * MIB, 64 * MIB)).isNotZero();
      assertThat(medium.address(128 * MIB, 3 * MIB)).isNotZero();
      for (int i = 0; i < 131; i++) {
        medium.write(i * MIB, bytes(i, (int) MIB));
      }
      ByteBuffer read = ByteBuffer.allocateDirect(1 << 20);
      for (int i = 0; i < 131; i++) {
        medium.read(i * MIB, read, 1 << 20);
        assertThat(read.equals(bytes(i, (int) MIB))).as("MiB %d", i).isTrue();
      }
    }
  }

  @Test
  void shouldAllocateEachChunkOnceForManyThreads() throws Exception {
    try (Medium medium =
        LlplHeapMedium.builder(8 * MIB).file(file()).chunkShift(SMALL_CHUNKS).create()) {
      Race.run(
          8,
          thread -> {
            for (int chunk = 0; chunk < 8; chunk++) {
              medium.write(chunk * MIB + thread * 4096L, bytes(chunk * 8 + thread, 4096));
            }
          });
      ByteBuffer read = ByteBuffer.allocate(4096);
      for (int i = 0; i < 64; i++) {
        medium.read(i / 8 * MIB + i % 8 * 4096L, read, 4096);
        assertThat(read).as("chunk %d, thread %d", i / 8, i % 8).isEqualTo(bytes(i, 4096));
      }
    }
  }

  @Test
  void shouldAllocateItsFileWhollyAndForItsOwnerOnly() throws Exception {
    try (Medium medium = LlplHeapMedium.create(file(), 8 * MIB)) {
      Process du = new ProcessBuilder("du", "--block-size=1", file().toString()).start();
      try (InputStream out = du.getInputStream()) {
        String line = new String(out.readAllBytes(), StandardCharsets.UTF_8);
        assertThat(Long.parseLong(line.substring(0, line.indexOf('\t'))))
            .isGreaterThanOrEqualTo(Files.size(file()))
            .isGreaterThan(medium.capacityBytes());
      }
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void shouldPromiseNoMoreThanTheFileSystemKeeps() throws IOException {
    boolean dax = DaxProbe.isDax(directory);
    try (Medium medium = LlplHeapMedium.create(file(), MIB)) {
      assertThat(medium.durability())
          .isEqualTo(dax ? Durability.POWER_FAIL : Durability.PROCESS_CRASH);
      assertThat(medium.writeCost().removalWeight()).isZero();
      assertThat(medium.writeCost().maxConcurrentWriters()).isEqualTo(dax ? 2 : Integer.MAX_VALUE);
      assertThat(medium.describe()).contains(file().toString());
    }
  }

  @Test
  void shouldWarnOfThePageCacheAndOfForcedPersistence() throws Exception {
    assumeFalse(DaxProbe.isDax(directory), "the temporary directory is persistent memory");
    List<String> warnings =
        List.of("-Dorg.slf4j.simpleLogger.log." + LlplHeapMedium.class.getName() + "=warn");

    String output =
        ChildJvm.run(
            MediumOpener.class, warnings, Map.of("PMEM_IS_PMEM_FORCE", "1"), directory.toString());

    assertThat(output)
        .contains(directory.resolve("a") + " is not on a DAX file system")
        .contains("PMEM_IS_PMEM_FORCE=1 makes libpmemobj take " + directory.resolve("a"));
  }

  @Test
  void shouldDeleteItsFileAndRefuseUseOnceClosed() throws IOException {
    Medium medium = LlplHeapMedium.create(file(), MIB);
    ByteBuffer block = bytes(1, 100);
    medium.write(0, block);

    medium.close();
    medium.close();

    assertThat(file()).doesNotExist();
    assertThatThrownBy(() -> medium.read(0, ByteBuffer.allocate(100), 100))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> medium.write(0, block)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> medium.address(0, 100)).isInstanceOf(IllegalStateException.class);
    medium.persist(0, 100);
  }
}
