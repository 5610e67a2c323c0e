// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
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

  @Test
  void shouldRefuseAPathThatClimbs() throws IOException {
    Path inside = Files.createDirectory(directory.resolve("inside"));
    assertRefused(inside.resolve("../outside"), "it climbs up with '..'; write the path out");
    assertThat(directory.resolve("outside")).doesNotExist();
  }
}
