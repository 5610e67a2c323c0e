// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Names that lead elsewhere are refused before libpmemobj hears of them, so PMDK isn't needed. */
final class HostileHeapPathTest {
  private static final long LENGTH = 32 << 20;

  @TempDir Path directory;

  private static void assertRefused(Path path, String why) {
    assertThatThrownBy(() -> HeapFile.create(path, LENGTH))
        .isInstanceOf(IOException.class)
        .hasMessage("can't use " + path + ": " + why);
    assertThatThrownBy(() -> HeapFile.wipeLeftover(path))
        .isInstanceOf(IOException.class)
        .hasMessage("can't use " + path + ": " + why);
    assertThatThrownBy(() -> HeapDirectory.create(path, 1, LENGTH))
        .isInstanceOf(IOException.class)
        .hasMessage("can't use " + path + ": " + why);
  }

  @Test
  void shouldRefuseASymbolicLinkToAFile() throws IOException {
    Path precious = Files.writeString(directory.resolve("precious"), "mine");
    assertRefused(
        Files.createSymbolicLink(directory.resolve("link"), precious),
        "it is a symbolic link; name the file or directory itself");
    assertThat(precious).hasContent("mine");
  }

  @Test
  void shouldRefuseASymbolicLinkToADirectoryOrToNothing() throws IOException {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    String why = "it is a symbolic link; name the file or directory itself";
    assertRefused(Files.createSymbolicLink(directory.resolve("link"), elsewhere), why);
    Path absent = directory.resolve("absent");
    assertRefused(Files.createSymbolicLink(directory.resolve("dangling"), absent), why);
    assertThat(elsewhere).isEmptyDirectory();
    assertThat(absent).doesNotExist();
  }

  /** The two words that make a file a heap are written by anybody. */
  @Test
  void shouldRefuseAHeapThatOthersMayHaveWritten() throws IOException {
    Path heap = directory.resolve("heap");
    try (FileChannel file =
        FileChannel.open(heap, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap("PMEMOBJ\0".getBytes(StandardCharsets.US_ASCII)), 0);
      file.write(ByteBuffer.wrap("llpl_heap\0".getBytes(StandardCharsets.US_ASCII)), 4096);
      file.write(ByteBuffer.allocate(1), LENGTH);
    }
    Files.setPosixFilePermissions(heap, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertForeign(heap);

    if (Files.getAttribute(heap, "unix:uid").equals(0)) { // Only root can give files away.
      Files.setPosixFilePermissions(heap, PosixFilePermissions.fromString("rw-------"));
      Files.setAttribute(heap, "unix:uid", 65_534);
      assertForeign(heap);
    }
  }

  private static void assertForeign(Path heap) {
    assertThatThrownBy(() -> HeapFile.create(heap, LENGTH))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("others may write to it");
    assertThatThrownBy(() -> HeapFile.wipeLeftover(heap))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("others may write to it");
    assertThat(heap).hasSize(LENGTH + 1);
  }

  @Test
  @Timeout(60)
  void shouldNotWaitForAPipe() throws Exception {
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (ThrowingCallable call :
        new ThrowingCallable[] {
          () -> HeapFile.create(pipe, LENGTH), () -> HeapFile.wipeLeftover(pipe)
        }) {
      assertThatThrownBy(call)
          .isInstanceOf(IOException.class)
          .hasMessageContaining("it is not a regular file");
    }
  }

  @Test
  void shouldRefuseAPathThatClimbs() throws IOException {
    Path inside = Files.createDirectory(directory.resolve("inside"));
    assertRefused(inside.resolve("../outside"), "it climbs up with '..'; write the path out");
    assertThat(directory.resolve("outside")).doesNotExist();
  }
}
