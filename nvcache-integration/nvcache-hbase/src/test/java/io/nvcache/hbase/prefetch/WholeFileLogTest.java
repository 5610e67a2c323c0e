// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.prefetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.hbase.site.NvCacheConfiguration;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class WholeFileLogTest {
  @TempDir private Path directory;

  private static WholeFileLog.Entry entry(int number) {
    return new WholeFileLog.Entry("file" + number, "region" + number % 3, number, 64L * number);
  }

  @Test
  void shouldFindAgainWhatWasNotedLast() throws Exception {
    Path file = directory.resolve("log");
    WholeFileLog log = WholeFileLog.at(file);
    assertThat(log.read()).isEmpty();
    log.add(entry(1), List.of(entry(1)));
    log.add(entry(2), List.of(entry(1), entry(2)));
    log.add(new WholeFileLog.Entry("file1", "moved", 7, 8), List.of());
    Files.writeString(file, "file3 region 1", StandardOpenOption.APPEND); // Torn.

    assertThat(WholeFileLog.at(file).read())
        .containsExactlyInAnyOrder(new WholeFileLog.Entry("file1", "moved", 7, 8), entry(2));
  }

  @Test
  void shouldKeepAboutAsManyLinesAsThereAreFiles() throws Exception {
    Path file = directory.resolve("log");
    WholeFileLog log = WholeFileLog.at(file);
    for (int i = 0; i < 10_000; i++) {
      log.add(entry(i), List.of(entry(i))); // All others are gone.
    }
    assertThat(Files.readAllLines(file)).hasSizeLessThan(1_010);
    assertThat(WholeFileLog.at(file).read()).contains(entry(9_999));
  }

  @Test
  void shouldDoWithoutALogThatCannotBeWritten() {
    WholeFileLog log = WholeFileLog.at(directory.resolve("no/such/directory"));
    log.add(entry(1), List.of(entry(1)));
    log.add(entry(2), List.of(entry(1)));
    assertThat(log.read()).isEmpty();
    WholeFileLog.none().add(entry(1), List.of());
    assertThat(WholeFileLog.none().read()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"one", "one=67108864", "one,two", " two=16777216 , one"})
  void shouldLieNextToTheFirstFile(String drives) {
    Configuration site = new Configuration(false);
    site.setLong(NvCacheConfiguration.CAPACITY_BYTES, 64 << 20);
    site.set(NvCacheConfiguration.MEDIUM, "flash");
    site.set(
        NvCacheConfiguration.PATH,
        drives.replace("one", directory + "/one").replace("two", directory + "/two"));
    try (BlockCache cache = NvCacheConfiguration.build(site)) {
      WholeFileLog.of(cache, site).add(entry(1), List.of());
      assertThat(WholeFileLog.of(cache, site).read()).containsExactly(entry(1));
    }
    String first = drives.strip().startsWith("one") ? "one" : "two";
    assertThat(directory.resolve(first + ".whole")).isRegularFile();
  }

  @Test
  void shouldBeReadableByItsOwnerOnly(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("flash.whole");
    WholeFileLog.at(file).add(entry(1), List.of());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(WholeFileLog.at(file).read()).containsExactly(entry(1));
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .as("written again")
        .isEqualTo("rw-------");
  }

  @Test
  void shouldFollowNoLink(@TempDir Path directory) throws Exception {
    Path victim = Files.writeString(directory.resolve("victim"), "precious");
    Path file = directory.resolve("flash.whole");
    WholeFileLog.at(file).add(entry(1), List.of());
    Files.createSymbolicLink(Path.of(file + ".new"), victim);
    assertThat(WholeFileLog.at(file).read()).containsExactly(entry(1));
    assertThat(file).isRegularFile();

    Files.delete(file);
    Files.createSymbolicLink(file, victim);
    WholeFileLog linked = WholeFileLog.at(file);
    assertThat(linked.read()).isEmpty();
    linked.add(entry(2), List.of());
    assertThat(victim).hasContent("precious");
    assertThat(WholeFileLog.at(file).read()).containsExactly(entry(2));
  }

  /** As another user can put one there who may write to the directory. */
  @Test
  @Timeout(60)
  void shouldWriteToNoFileThatItDidNotMake(@TempDir Path directory) throws Exception {
    Path victim = Files.writeString(directory.resolve("victim"), "precious");
    Path file = directory.resolve("flash.whole");
    Path pipe = directory.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (Path other : List.of(victim, pipe)) {
      WholeFileLog log = WholeFileLog.at(file);
      log.add(entry(1), List.of(entry(1)));
      Files.delete(file);
      Files.createLink(file, other);

      log.add(entry(2), List.of(entry(1), entry(2)));

      assertThat(victim).hasContent("precious");
      assertThat(WholeFileLog.at(file).read()).containsExactlyInAnyOrder(entry(1), entry(2));
    }
  }
}
