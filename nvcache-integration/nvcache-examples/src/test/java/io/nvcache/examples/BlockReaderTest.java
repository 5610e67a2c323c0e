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
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
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
  void close() {
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
    // The first tier lets blocks go there, and until then has room for all.
    assertThat(ForkJoinPool.commonPool().awaitQuiescence(1, TimeUnit.MINUTES)).isTrue();
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
        .isInstanceOf(EOFException.class);
  }

  @Test
  void shouldReadOnWhenAReaderIsInterrupted() throws IOException {
    Path file = write("1-Data.db", 6);
    reader.open(file);
    Thread.currentThread().interrupt();
    try {
      reader.read(file, 0, BLOCK, Source.READ);
    } catch (ClosedByInterruptException e) {
      assertThat(file).exists(); // The interrupted one may fail, the others may not.
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
    assertReads(file, Files.readAllBytes(file));
  }

  @Test
  void shouldTakeAFileThatIsOpenForTheSame() throws IOException {
    Path file = write("1-Data.db", 7);
    reader.open(file);
    reader.open(file);
    assertThat(second.control().dataSet().bytes()).hasValue(BLOCKS * BLOCK);
    assertReads(file, Files.readAllBytes(file));
    reader.delete(file);
    assertThat(second.control().dataSet().bytes()).hasValue(0);
    assertThat(openOf(file)).isEmpty();
  }

  /** Returns the process' descriptors of a file, where the system shows them. */
  private static List<String> openOf(Path file) throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return List.of();
    }
    List<String> found = new ArrayList<>();
    try (Stream<Path> all = Files.list(descriptors)) {
      for (Path descriptor : all.toList()) {
        try {
          found.add(Files.readSymbolicLink(descriptor).toString());
        } catch (IOException e) {
          continue; // Closed by now, as that of the directory.
        }
      }
    }
    return found.stream().filter(name -> name.startsWith(file.toString())).toList();
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
