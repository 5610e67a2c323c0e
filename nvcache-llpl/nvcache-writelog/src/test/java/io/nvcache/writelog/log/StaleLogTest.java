// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.RecoveryReport;
import io.nvcache.writelog.disk.BootId;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.mapped.LogFile;
import io.nvcache.writelog.recovery.Recovery;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A log in the page cache, as the system wrote it back some time before it lost its power. */
class StaleLogTest {
  private static final LogLayout LAYOUT = new LogLayout(1, 1 << 20, 16, 1, 0);

  @TempDir private Path directory;
  private Path file;

  /** Writes through a log, and then newer bytes, which a sync brought to the disk. */
  private RecoveryReport recover(Persistence persistence, long bootsBetween) throws IOException {
    Path root = Files.createDirectory(directory.toRealPath().resolve("root"));
    file = Files.createFile(root.resolve("a"));
    LogSettings settings =
        new LogSettings(List.of(root), directory.resolve("orphans"), false, 50_000_000);
    try (LogFile log =
        LogFile.open(directory.resolve("log"), LAYOUT, persistence, Durability.NONE)) {
      log.beginUse();
      LogEngine engine =
          new LogEngine(log, LAYOUT, new PlatformDisk(), settings, System::currentTimeMillis);
      LoggedFile logged = engine.open(file, "a", false);
      ByteBuffer[] older = {ByteBuffer.wrap("older".getBytes(StandardCharsets.UTF_8))};
      logged.write(older, 0, 1, 0);
      FileTime then = Files.getLastModifiedTime(file);
      Files.writeString(file, "newer");
      Files.setLastModifiedTime(file, then);
      long boot = log.head().getLong(LogLayout.BOOT);
      log.head().putLong(LogLayout.BOOT, boot == 0 ? 0 : boot + bootsBetween);
      return new Recovery(log, LAYOUT, new PlatformDisk(), settings, System::currentTimeMillis)
          .run(false);
    }
  }

  @Test
  void shouldNotUndoWhatASyncBroughtToTheDisk() throws IOException {
    assumeTrue(BootId.current(FileSystems.getDefault()) != BootId.UNKNOWN);
    RecoveryReport report = recover(Persistence.PAGE_CACHE, 1);
    assertThat(file).hasContent("newer");
    assertThat(report.records()).isZero();
    assertThat(report.orphans()).hasSize(1);
  }

  @Test
  void shouldReplayALogOfThisRunOfTheSystem() throws IOException {
    RecoveryReport report = recover(Persistence.PAGE_CACHE, 0);
    assertThat(file).hasContent("older");
    assertThat(report.orphans()).isEmpty();
  }

  @Test
  void shouldReplayALogThatOutlivesALossOfPower() throws IOException {
    RecoveryReport report = recover(Persistence.EMULATED, 1);
    assertThat(file).hasContent("older");
    assertThat(report.orphans()).isEmpty();
  }
}
