// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.MappedFileMedium;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A cache overwrites nothing that no cache has written, unless it is told to. */
@EnabledOnOs(OS.LINUX)
final class ForeignFilesTest {
  private static final int CAPACITY = 8 << 20;
  private static final Path DIRECTORY_OF_LINKS = Path.of("/proc/self/fd");

  @TempDir Path directory;

  private static BlockCacheBuilder builder(String kind, Path file, long capacity) {
    BlockCacheBuilder builder = BlockCache.builder().maintainedByCaller();
    return kind.equals("flash")
        ? builder.flash(file, capacity)
        : builder.mappedFile(file, capacity);
  }

  private static byte[] random(int length) {
    byte[] bytes = new byte[length];
    new Random(7).nextBytes(bytes);
    return bytes;
  }

  /** One that ends in something after nothing but zeros. */
  private static byte[] atTheEnd(int length) {
    byte[] bytes = new byte[length];
    bytes[length - 1] = 1;
    return bytes;
  }

  /** A file system in a file, which leaves the first kilobyte as it is. */
  private static byte[] fileSystemOver(byte[] earlier) {
    earlier[1024 + 56] = (byte) 0x53;
    earlier[1024 + 57] = (byte) 0xef;
    return earlier;
  }

  static Stream<byte[]> foreignBytes() {
    return Stream.of(
        new byte[] {1},
        "name,amount\n".getBytes(java.nio.charset.StandardCharsets.US_ASCII),
        random(4096),
        random(CAPACITY),
        random(CAPACITY + 4096),
        atTheEnd(100_001),
        atTheEnd(CAPACITY + 4096),
        fileSystemOver(new byte[1 << 20]));
  }

  @ParameterizedTest
  @MethodSource("foreignBytes")
  void shouldRefuseAFileThatNoCacheWroteAndLeaveItAsItIs(byte[] bytes) throws IOException {
    Path file = Files.write(directory.resolve("accounts.db"), bytes);
    Path link = Files.createLink(directory.resolve("link"), file);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    for (String kind : new String[] {"flash", "mapped"}) {
      for (Path name : new Path[] {file, link}) {
        assertThatThrownBy(() -> builder(kind, name, CAPACITY).build())
            .isInstanceOf(UncheckedIOException.class)
            .hasMessage(
                "can't use "
                    + name
                    + " as a medium: it holds something that no cache is known to have written;"
                    + " name another path, or delete the file; if it may be overwritten, set"
                    + " overwriting to it");
      }
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(bytes);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-r--r--");
  }

  @Test
  void shouldRefuseACachesFileThatHoldsAFileSystemByNow() throws IOException {
    Path file = directory.resolve("f");
    FlashMedium.create(file, CAPACITY).close();
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {(byte) 0x53, (byte) 0xef}), 1024 + 56);
    }
    assertThatThrownBy(() -> builder("flash", file, CAPACITY).build())
        .hasMessageContaining("no cache is known to have written");
  }

  @ParameterizedTest
  @ValueSource(strings = {"flash", "mapped"})
  void shouldOverwriteWhatItIsToldToAndNothingElse(String kind) throws IOException {
    Path file = Files.write(directory.resolve("f"), random(5000));
    Path other = directory.resolve("other");
    assertThatThrownBy(() -> builder(kind, file, CAPACITY).overwriting(other).build())
        .hasMessageContaining("no cache is known to have written");
    assertThatThrownBy(
            () ->
                builder(kind, file, CAPACITY)
                    .settingNames(Map.of("overwriting", "store.cache.overwrite"))
                    .build())
        .hasMessageEndingWith("if it may be overwritten, set store.cache.overwrite to it");
    builder(kind, file, CAPACITY).overwriting(file).build().close();
    builder(kind, file, 2 * CAPACITY).build().close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flash", "mapped"})
  void shouldTakeAFileInWhichThereIsNothing(String kind) throws IOException {
    Path empty = Files.createFile(directory.resolve("empty"));
    Path zeros = Files.write(directory.resolve("zeros"), new byte[100_001]);
    Path sparse = directory.resolve("sparse");
    try (RandomAccessFile file = new RandomAccessFile(sparse.toFile(), "rw")) {
      file.setLength(3 * CAPACITY);
    }
    for (Path file : new Path[] {empty, zeros, sparse}) {
      builder(kind, file, CAPACITY).build().close();
    }
  }

  @Test
  void shouldTakeTheFileOfAnyCacheOfAnyLength() throws IOException {
    Path file = directory.resolve("f");
    for (String kind : new String[] {"flash", "mapped", "mapped", "flash", "flash", "mapped"}) {
      for (int capacity : new int[] {CAPACITY, 2 * CAPACITY, CAPACITY + 5}) {
        builder(kind, file, capacity).build().close();
      }
    }
  }

  /** The process was killed while it filled the file. */
  @Test
  void shouldTakeAFileThatWasNotFilledToItsEnd() throws IOException {
    Path flash = directory.resolve("flash");
    Path mapped = directory.resolve("mapped");
    FlashMedium.create(flash, CAPACITY).close();
    MappedFileMedium.create(mapped, CAPACITY).close();
    try (FileChannel channel = FileChannel.open(flash, StandardOpenOption.WRITE)) {
      channel.truncate(CAPACITY / 2);
    }
    try (FileChannel channel = FileChannel.open(mapped, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(random(1 << 20)), 0);
    }
    builder("flash", flash, CAPACITY).build().close();
    builder("mapped", mapped, CAPACITY).build().close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"flash", "mapped"})
  void shouldRefuseAnOpenDescriptorsName(String kind) throws IOException {
    Path file = Files.write(directory.resolve("f"), random(5000));
    try (FileChannel open = FileChannel.open(file)) {
      assertThat(open.isOpen()).isTrue();
      try (Stream<Path> descriptors = Files.list(DIRECTORY_OF_LINKS)) {
        for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
          if (Files.isSymbolicLink(descriptor)
              && Files.readSymbolicLink(descriptor).equals(file.toRealPath())) {
            assertThatThrownBy(() -> builder(kind, descriptor, CAPACITY).build())
                .hasMessageContaining("it is a symbolic link");
          }
        }
      }
    }
    assertThat(Files.readAllBytes(file)).isEqualTo(random(5000));
  }
}
