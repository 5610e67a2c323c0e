// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.cli.CliRun;
import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LogSettings;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogCommandTest {
  /** Where a log says in which run of the system it was written. */
  private static final int RUN_AT = 8192 + Long.BYTES;

  @TempDir private Path directory;
  private Path root;
  private Path log;
  private Path file;
  private long payload;

  /** A log as a crash leaves it: one write is in it, and the disk has lost it. */
  @BeforeEach
  void crash() throws IOException {
    root = Files.createDirectory(directory.toRealPath().resolve("root"));
    log = directory.toRealPath().resolve("log");
    file = Files.createFile(root.resolve("a"));
    FileTime before = Files.getLastModifiedTime(file);
    LogLayout layout = new LogLayout(1, 1 << 20, 16, 1, 0);
    try (LogFile open = LogFile.open(log, layout, Persistence.EMULATED, Durability.POWER_FAIL)) {
      LogSettings settings =
          new LogSettings(List.of(root), directory.resolve("orphans"), true, 1_000_000_000);
      LogEngine engine =
          new LogEngine(open, layout, new PlatformDisk(), settings, System::currentTimeMillis);
      LoggedFile logged = engine.open(file, "key", false);
      ByteBuffer bytes = ByteBuffer.wrap("acknowledged".getBytes(StandardCharsets.UTF_8));
      logged.write(new ByteBuffer[] {bytes}, 0, 1, 0);
    }
    Files.write(file, new byte[0]);
    Files.setLastModifiedTime(file, before);
  }

  private CliRun recover(String... more) {
    return CliRun.of(
        Stream.concat(
                Stream.of("log", "recover", "--root", root.toString(), log.toString()),
                Stream.of(more))
            .toArray(String[]::new));
  }

  @Test
  void shouldRecoverALog() throws IOException {
    Path json = directory.resolve("status.json");
    CliRun status = CliRun.of("log", "status", log.toString(), "--json", json.toString());
    assertThat(status.out()).contains("not in use", "1 records, 12 bytes", file.toString());
    assertThat(json).content().contains("\"log_pending_records\"");
    assertThat(recover("--dry-run").out()).startsWith("would replay 1 records, 12 bytes");
    assertThat(file).isEmptyFile();
    CliRun refused = CliRun.of("log", "wipe", log.toString());
    assertThat(refused.exitCode()).isEqualTo(1);
    assertThat(refused.err()).contains("recover it first");

    CliRun run = recover();

    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out()).startsWith("replayed 1 records, 12 bytes, to 1 files");
    assertThat(file).hasContent("acknowledged");
    assertThat(recover().out()).startsWith("replayed 0 records");
    assertThat(CliRun.of("log", "wipe", log.toString()).exitCode()).isZero();
    assertThat(log).doesNotExist();
  }

  @Test
  void shouldVerifyALog() throws IOException {
    Path json = directory.resolve("verify.json");
    CliRun whole = CliRun.of("log", "verify", log.toString(), "--json", json.toString());
    assertThat(whole.exitCode()).as(whole.err()).isZero();
    assertThat(whole.out()).contains("whole     1 records, 12 bytes", "damaged   0", "unplaced  0");
    assertThat(json).content().contains("log_whole_records", "log_damaged_records");
    // The first record's payload; the second is whole, so the first was acknowledged.
    appendAnother();
    try (FileChannel bytes = FileChannel.open(log, StandardOpenOption.WRITE)) {
      bytes.write(ByteBuffer.wrap(new byte[] {'?'}), payload);
    }
    CliRun damaged = CliRun.of("log", "verify", log.toString());
    assertThat(damaged.exitCode()).isEqualTo(1);
    assertThat(damaged.out()).contains("whole     1 records, 5 bytes", "damaged   1");
    CliRun run = recover();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).contains("damaged: 1 records");
    assertThat(Files.readString(file)).isEqualTo("\0".repeat(12) + "other");
  }

  @Test
  void shouldDrainTheLogsOfAProgram() throws IOException {
    Files.delete(log);
    Path json = directory.resolve("drain.json");
    JMXConnectorServer server =
        JMXConnectorServerFactory.newJMXConnectorServer(
            new JMXServiceURL("service:jmx:rmi://"),
            Map.of(),
            ManagementFactory.getPlatformMBeanServer());
    server.start();
    String self = server.getAddress().toString();
    CliRun none = CliRun.of("log", "drain", self, "--log", log.toString());
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err()).contains("shows no write log");
    try (WriteLog open =
        WriteLog.builder(log)
            .root(root)
            .capacityBytes(1 << 20)
            .persistence(Persistence.EMULATED)
            .open()) {
      open.registerMBean();
      CliRun run =
          CliRun.of("log", "drain", self, "--log", log.toString(), "--json", json.toString());
      assertThat(run.exitCode()).as(run.err()).isZero();
      assertThat(run.out()).contains(log.toString(), "0 now");
      assertThat(json).content().contains("\"log_pending_records\"");
    } finally {
      server.stop();
    }
  }

  @Test
  void shouldAskBeforeItUndoesWhatWasWrittenWithoutTheLog() throws IOException {
    Files.writeString(file, "newer");
    Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
    CliRun run = recover();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err()).contains(file.toString(), "modified after");
    assertThat(file).hasContent("newer");
    recover("--force");
    assertThat(file).hasContent("acknowledged");
  }

  @Test
  void shouldSaveWhatHasNoPlace() throws IOException {
    Files.delete(file);
    Files.writeString(file, "another file");
    try (FileChannel head = FileChannel.open(log, StandardOpenOption.WRITE)) {
      head.write(ByteBuffer.allocate(Long.BYTES), RUN_AT); // As after a restart of the system.
    }
    CliRun run = recover();
    assertThat(run.exitCode()).isEqualTo(1);
    String orphan =
        run.out().lines().filter(l -> l.startsWith("orphan: ")).findFirst().orElseThrow();
    String path = orphan.substring("orphan: ".length());
    assertThat(CliRun.of("log", "apply", path).out()).contains("changes of " + file);
    CliRun applied = CliRun.of("log", "apply", path, file.toString());
    assertThat(applied.out()).startsWith("wrote 12 bytes to " + file);
    assertThat(file).hasContent("acknowledged");
  }

  @Test
  void shouldExportALog() throws IOException {
    Path copies = directory.resolve("copies");
    CliRun run = CliRun.of("log", "export", log.toString(), copies.toString());
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(run.out().lines()).hasSize(1);
    assertThat(CliRun.of("log", "apply", run.out().strip()).out()).contains(file.toString());
    assertThat(CliRun.of("log", "status", log.toString()).out()).contains("1 records");
  }

  @Test
  void shouldNotRecoverForARootThatIsNotThere() {
    for (String wrong : List.of(directory.resolve("missing").toString(), log.toString(), "")) {
      CliRun run = CliRun.of("log", "recover", "--root", wrong, log.toString());
      assertThat(run.exitCode()).isEqualTo(2);
      assertThat(run.err()).contains("--root is '" + wrong + "'; it must be a directory");
    }
    assertThat(recover().out()).startsWith("replayed 1 records");
  }

  /** A terminal obeys what a program has put into the name of a file. */
  @Test
  void shouldPrintNamesPlainly() throws IOException {
    file = Files.createFile(root.resolve("a\u001b[2J\nb"));
    appendAnother();
    assertThat(CliRun.of("log", "status", log.toString()).out())
        .contains("a?[2J?b: 2 records")
        .doesNotContain("\u001b");
    Files.setLastModifiedTime(file, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
    CliRun planned = recover("--dry-run");
    assertThat(planned.out()).contains("modified since: " + root + "/a?[2J?b\n");
    assertThat(recover().err()).contains("a?[2J b was modified").hasLineCount(1);
    Files.delete(file);
    try (FileChannel head = FileChannel.open(log, StandardOpenOption.WRITE)) {
      head.write(ByteBuffer.allocate(Long.BYTES), RUN_AT); // As after a restart of the system.
    }
    assertThat(recover("--dry-run").out()).contains("orphan: " + root + "/a?[2J?b\n");
  }

  @Test
  void shouldMakeNoLogToRecoverIt() throws IOException {
    Files.write(log, new byte[100_000]);
    for (CliRun run : new CliRun[] {recover("--dry-run"), recover()}) {
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).contains(log.toString(), "not a write log");
    }
    assertThat(log).hasSize(100_000);
  }

  @Test
  void shouldWriteNoRecordsOverALog() throws IOException {
    byte[] before = Files.readAllBytes(log);
    CliRun run = CliRun.of("log", "status", "--json", log.toString(), log.toString());
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("--json is '" + log, "a new file, or a text to replace");
    assertThat(log).hasBinaryContent(before);
    Path json = directory.resolve("status.json");
    for (int i = 0; i < 2; i++) {
      assertThat(CliRun.of("log", "status", "--json", json.toString(), log.toString()).exitCode())
          .isZero();
    }
  }

  @Test
  void shouldSayWhatIsWrong() throws IOException {
    Path missing = directory.resolve("missing");
    for (String action : List.of("status", "verify", "wipe", "apply")) {
      assertThat(CliRun.of("log", action, missing.toString()).err())
          .contains(missing + " does not exist")
          .doesNotContain("Exception");
    }
    Path empty = Files.createFile(directory.resolve("empty"));
    assertThat(CliRun.of("log", "apply", empty.toString()).err())
        .contains(empty + " is not an orphan");
    assertThat(CliRun.of("log").err()).contains("say what to do: status, verify");
    Path text = Files.writeString(directory.resolve("text"), "mine");
    assertThat(CliRun.of("log", "status", text.toString()).err()).contains("not a write log");
    assertThat(CliRun.of("log", "apply", text.toString()).exitCode()).isEqualTo(1);
  }

  /** By another engine, after the first record. */
  private void appendAnother() throws IOException {
    FileTime before = Files.getLastModifiedTime(file);
    Files.delete(log);
    LogLayout layout = new LogLayout(1, 1 << 20, 16, 1, 0);
    try (LogFile open = LogFile.open(log, layout, Persistence.EMULATED, Durability.POWER_FAIL)) {
      LogSettings settings =
          new LogSettings(List.of(root), directory.resolve("orphans"), true, 1_000_000_000);
      LogEngine engine =
          new LogEngine(open, layout, new PlatformDisk(), settings, System::currentTimeMillis);
      LoggedFile logged = engine.open(file, "key", false);
      for (String text : List.of("acknowledged", "other")) {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
        logged.write(new ByteBuffer[] {bytes}, 0, 1, -1);
      }
      payload = layout.laneOffset(0) + 64;
    }
    Files.write(file, new byte[0]);
    Files.setLastModifiedTime(file, before);
  }
}
