// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The same reads, direct (where the build's file system bears it) and buffered. */
class AlignedReaderTest {
  private static final long SEED = 7;

  @TempDir private Path directory;

  private enum Way {
    PROBED,
    BUFFERED
  }

  private DirectIo directIo(Way way) throws IOException {
    return way == Way.PROBED ? DirectIo.probe(directory) : DirectIo.refused("wanted by the test");
  }

  private byte[] write(int length) throws IOException {
    byte[] content = new byte[length];
    new Random(SEED).nextBytes(content);
    Files.write(directory.resolve("file"), content);
    return content;
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void shouldReadAnyRange(Way way) throws IOException {
    int[] edges = {0, 1, 511, 512, 4095, 4096, 4097, 8191, 8192, 65536, 70000, 70001};
    byte[] content = write(70001);
    try (AlignedReader reader = directIo(way).open(directory.resolve("file"))) {
      for (int start : edges) {
        for (int end : edges) {
          if (start < end) {
            assertRead(reader, content, start, end - start, end - start);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void shouldReadUpToTheEndOfTheFile(Way way) throws IOException {
    for (int length : new int[] {1, 511, 4096, 4097, 10000}) {
      byte[] content = write(length);
      try (AlignedReader reader = directIo(way).open(directory.resolve("file"))) {
        assertRead(reader, content, length - 1, 5000, 1);
        assertRead(reader, content, 0, length + 5000, length);
        assertThat(reader.read(length, new byte[10], 0, 10)).isEqualTo(-1);
        assertThat(reader.read(length + 10000L, new byte[10], 0, 10)).isEqualTo(-1);
        assertThat(reader.read(length, new byte[10], 0, 0)).isZero();
      }
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void shouldReadAnEmptyFile(Way way) throws IOException {
    write(0);
    try (AlignedReader reader = directIo(way).open(directory.resolve("file"))) {
      assertThat(reader.read(0, new byte[1], 0, 1)).isEqualTo(-1);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void shouldReadLongRangesInPieces(Way way) throws IOException {
    byte[] content = write((3 << 20) + 77);
    DirectIo directIo = directIo(way);
    try (AlignedReader reader = directIo.open(directory.resolve("file"))) {
      assertRead(reader, content, 3, content.length - 3, content.length - 3);
    }
    assertThat(directIo.reads()).isBetween(3L, 5L);
    assertThat(directIo.readBytes()).isGreaterThanOrEqualTo(content.length - 3);
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void shouldReadABlockWithOneReadOfTheDisk(Way way) throws IOException {
    byte[] content = write(100_000);
    DirectIo directIo = directIo(way);
    try (AlignedReader reader = directIo.open(directory.resolve("file"))) {
      assertRead(reader, content, 20_001, 16_500, 16_500);
      assertThat(directIo.reads()).isEqualTo(1);
      assertRead(reader, content, 99_990, 33, 10);
      assertThat(directIo.reads()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void shouldServeManyThreadsAtOnce(Way way) throws Exception {
    byte[] content = write(200_000);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (AlignedReader reader = directIo(way).open(directory.resolve("file"))) {
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        Random random = new Random(SEED + thread);
        tasks.add(
            () -> {
              for (int i = 0; i < 500; i++) {
                int start = random.nextInt(content.length);
                int length = 1 + random.nextInt(content.length - start);
                assertRead(reader, content, start, length, length);
              }
              return null;
            });
      }
      for (Future<Void> task : threads.invokeAll(tasks)) {
        task.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @ParameterizedTest
  @EnumSource(Way.class)
  void shouldSeekAndStreamThroughHadoop(Way way) throws IOException {
    byte[] content = write(10_001);
    DirectIoFileSystem fileSystem = new DirectIoFileSystem(directIo(way), new Configuration());
    org.apache.hadoop.fs.Path file = DirectIoFileSystem.path(directory.resolve("file"));
    assertThat(fileSystem.getFileStatus(file).getLen()).isEqualTo(10_001);
    try (FSDataInputStream stream = fileSystem.open(file)) {
      assertThat(stream.readAllBytes()).isEqualTo(content);
      assertThat(stream.read()).isEqualTo(-1);
      stream.seek(9_999);
      assertThat(stream.read()).isEqualTo(content[9_999] & 0xFF);
      assertThat(stream.getPos()).isEqualTo(10_000);
      byte[] middle = new byte[100];
      stream.readFully(5_000, middle);
      assertThat(middle).isEqualTo(Arrays.copyOfRange(content, 5_000, 5_100));
      assertThat(stream.getPos()).as("a positional read moved the stream").isEqualTo(10_000);
      assertThatThrownBy(() -> stream.seek(10_002)).isInstanceOf(IOException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {IOException.class, UnsupportedOperationException.class})
  void shouldFallBackAndSayWhyWhenTheFileSystemRefuses(Class<? extends Exception> refusal)
      throws IOException {
    byte[] content = write(5000);
    DirectIo directIo =
        DirectIo.probe(
            directory,
            (file, options) -> {
              if (refusal == IOException.class) {
                throw new IOException("Invalid argument");
              }
              throw new UnsupportedOperationException("Invalid argument");
            });
    assertThat(directIo.status().mode()).isEqualTo(DirectIoStatus.Mode.REFUSED);
    assertThat(directIo.status().reason()).contains(directory.toString(), "Invalid argument");
    try (Stream<Path> files = Files.list(directory)) {
      assertThat(files).as("what the probe left").hasSize(1);
    }
    try (AlignedReader reader = directIo.open(directory.resolve("file"))) {
      assertRead(reader, content, 17, 4000, 4000);
    }
    assertThat(directIo.readBytes()).as("no alignment is needed").isEqualTo(4000);
  }

  private static void assertRead(
      AlignedReader reader, byte[] content, int start, int wanted, int expected)
      throws IOException {
    byte[] target = new byte[wanted + 2];
    assertThat(reader.read(start, target, 1, wanted))
        .as("bytes from %d, %d wanted", start, wanted)
        .isEqualTo(expected);
    assertThat(Arrays.equals(target, 1, 1 + expected, content, start, start + expected))
        .as("content from %d, %d bytes", start, expected)
        .isTrue();
    assertThat(target[0] | target[expected + 1]).as("bytes beside the range").isZero();
  }
}
