// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import io.nvcache.testing.Race;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlockReaderTest {
  private static final int BLOCKS = 64;
  private static final int BLOCK = 8 << 10;

  @TempDir Path directory;

  private BlockCache second;
  private BlockReader reader;

  @BeforeEach
  void open() {
    second =
        BlockCache.builder()
            .nativeMemory(16 << 20)
            .policies(PolicyPreset.ADMIT_ALL)
            .smallBypassDramBytes(0)
            .build();
    reader = new BlockReader(4 * BLOCK, second);
  }

  @AfterEach
  void close() throws IOException {
    reader.close();
  }

  private Path write(String name, int seed) throws IOException {
    byte[] bytes = new byte[BLOCKS * BLOCK];
    new Random(seed).nextBytes(bytes);
    return Files.write(directory.resolve(name), bytes);
  }

  private void assertReads(Path file, byte[] expected) throws IOException {
    for (int block = 0; block < BLOCKS; block++) {
      int at = block * BLOCK;
      assertThat(reader.read(file, at, BLOCK, Source.READ))
          .isEqualTo(ByteBuffer.wrap(Arrays.copyOfRange(expected, at, at + BLOCK)));
    }
  }

  @Test
  void shouldServeFromTheSecondTierWhatTheFirstHasNoRoomFor() throws IOException {
    Path file = write("1-Data.db", 1);
    byte[] bytes = Files.readAllBytes(file);
    reader.open(file);
    assertThat(second.control().dataSet().bytes()).hasValue(BLOCKS * BLOCK);
    assertReads(file, bytes);
    Files.write(file, new byte[BLOCKS * BLOCK]); // What is right now comes from memory.
    assertReads(file, bytes);
    assertThat(second.stats().hits()).isGreaterThan(BLOCKS / 2);
  }

  @Test
  void shouldServeWhatAFlushWroteWithoutReadingIt() throws IOException {
    Path file = write("1-Data.db", 2);
    byte[] bytes = Files.readAllBytes(file);
    reader.open(file);
    for (int block = 0; block < BLOCKS; block++) {
      ByteBuffer written = ByteBuffer.wrap(bytes, block * BLOCK, BLOCK);
      reader.written(file, (long) block * BLOCK, written, Source.FLUSH);
    }
    Files.write(file, new byte[BLOCKS * BLOCK]);
    assertReads(file, bytes);
    assertThat(second.stats().misses()).isZero();
  }

  @Test
  void shouldForgetADeletedFileAndServeItsNamesake() throws IOException {
    Path file = write("1-Data.db", 3);
    reader.open(file);
    assertReads(file, Files.readAllBytes(file));
    reader.delete(file);
    assertThat(file).doesNotExist();
    assertThat(second.control().dataSet().bytes()).hasValue(0);
    assertThatThrownBy(() -> reader.read(file, 0, BLOCK, Source.READ))
        .isInstanceOf(NoSuchElementException.class);

    write("1-Data.db", 4);
    reader.open(file);
    assertReads(file, Files.readAllBytes(file));
  }

  @Test
  void shouldSayThatAFileIsTooShort() throws IOException {
    Path file = write("1-Data.db", 5);
    reader.open(file);
    assertThatThrownBy(() -> reader.read(file, (BLOCKS - 1) * BLOCK + 1, BLOCK, Source.READ))
        .isInstanceOf(EOFException.class)
        .hasMessageContaining("ends before byte " + (BLOCKS * BLOCK + 1));
  }

  @Test
  void shouldNeverServeADeletedFileToThoseWhoReadItsNamesake() throws Exception {
    AtomicInteger generation = new AtomicInteger();
    Path file = directory.resolve("n-Data.db");
    Files.write(file, new byte[BLOCKS * BLOCK]);
    reader.open(file);
    Race.run(
        3,
        thread -> {
          Random random = new Random(thread);
          for (int i = 0; i < 400; i++) {
            if (thread > 0) {
              readAtLeast(generation.get(), file, random.nextInt(BLOCKS));
            } else if (i % 8 == 0) {
              replace(file, generation);
            }
          }
        });
  }

  private void readAtLeast(int generation, Path file, int block) throws IOException {
    try {
      ByteBuffer bytes = reader.read(file, (long) block * BLOCK, BLOCK, Source.READ);
      assertThat(bytes.get(0)).isGreaterThanOrEqualTo((byte) generation);
      assertThat(bytes.get(BLOCK - 1)).isEqualTo(bytes.get(0));
    } catch (NoSuchElementException betweenTwoGenerations) {
      assertThat(betweenTwoGenerations).hasMessageContaining("No value present");
    }
  }

  private void replace(Path file, AtomicInteger generation) throws IOException {
    byte[] bytes = new byte[BLOCKS * BLOCK];
    Arrays.fill(bytes, (byte) (generation.get() + 1));
    reader.delete(file);
    Files.write(file, bytes);
    reader.open(file);
    generation.incrementAndGet();
  }
}
