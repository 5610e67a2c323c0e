// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program deletes and renames by {@code java.io.File} what it writes by channels. */
class NamesPastTheLogTest {
  @TempDir private Path directory;
  private FileSystem files;
  private Path root;
  private File plain;

  @BeforeEach
  void open() throws IOException {
    plain = Files.createDirectory(directory.toRealPath().resolve("root")).toFile();
    files =
        FileSystems.newFileSystem(
            URI.create("nvlog:///"),
            Map.of(
                "nvcache.writelog.path",
                directory.resolve("log").toString(),
                "nvcache.writelog.roots",
                plain.toString(),
                "nvcache.writelog.capacityBytes",
                "1048576",
                "nvcache.writelog.persistence",
                "EMULATED"));
    root = files.getPath(plain.toString());
    try (FileChannel first = channel("first")) {
      write(first, "opens the log");
    }
    engine().drainPending();
  }

  @AfterEach
  void close() throws IOException {
    files.close();
  }

  private LogEngine engine() {
    WriteLog log = ((WriteLogFileSystemProvider) files.provider()).log();
    assertThat(log).isNotNull();
    return log.engine();
  }

  private FileChannel channel(String name) throws IOException {
    return FileChannel.open(root.resolve(name), CREATE, READ, WRITE);
  }

  private static void write(FileChannel channel, String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private File file(String name) {
    return new File(plain, name);
  }

  private LoggedFile logged(FileChannel channel) {
    return ((LoggedFileChannel) channel).file();
  }

  private boolean isDrained() {
    return engine().drainedSeq() == engine().lastSeq();
  }

  /** Keeps the drain of the background away, which tries for the names. */
  private void alone(Action action) throws IOException {
    engine().names().lock();
    try {
      action.run();
    } finally {
      engine().names().unlock();
    }
  }

  private interface Action {
    void run() throws IOException;
  }

  @Test
  void shouldDrainWhatWasRenamed_BeforeADirectoryIsForced() throws IOException {
    try (FileChannel channel = channel("a.tmp");
        FileChannel names = FileChannel.open(root, READ)) {
      alone(
          () -> {
            write(channel, "new");
            assertThat(file("a.tmp").renameTo(file("a"))).isTrue();
            names.force(true);
            assertThat(isDrained()).isTrue();
            assertThat(logged(channel).path()).isEqualTo(file("a").toPath());
          });
      write(channel, " and more");
    }
    assertThat(file("a")).hasContent("new and more");
  }

  @Test
  void shouldNotDrainForADirectoryWhereNothingChanged() throws IOException {
    try (FileChannel channel = channel("a");
        FileChannel names = FileChannel.open(root, READ)) {
      alone(
          () -> {
            long rounds = engine().stats().syncs();
            write(channel, "new");
            names.force(true);
            assertThat(engine().stats().syncs() - rounds).isLessThanOrEqualTo(1);
          });
    }
  }

  @Test
  void shouldDrainBeforeAForce_AfterANewFileWasDeleted() throws IOException {
    try (FileChannel store = channel("first");
        FileChannel journal = channel("journal")) {
      write(store, "synced once");
      store.force(true);
      alone(
          () -> {
            write(journal, "old");
            assertThat(file("journal").delete()).isTrue();
            write(store, "new");
            store.force(true);
            assertThat(isDrained()).isTrue();
            assertThat(logged(journal).hasLeft()).isTrue();
          });
    }
  }

  @Test
  void shouldFollowARenamingWithTheNextDrain() throws IOException {
    try (FileChannel channel = channel("a")) {
      write(channel, "old");
      assertThat(file("a").renameTo(file("b"))).isTrue();
      write(channel, " and new");
      engine().drainPending();
      write(channel, "!");
      engine().drainPending();
      assertThat(logged(channel).path()).isEqualTo(file("b").toPath());
      assertThat(logged(channel).hasLeft()).isFalse();
    }
    assertThat(file("b")).hasContent("old and new!");
  }

  @Test
  void shouldNotLogAFileThatWasRenamedOutOfTheRoots() throws IOException {
    File outside = directory.toRealPath().resolve("outside").toFile();
    try (FileChannel channel = channel("a")) {
      write(channel, "old");
      assertThat(file("a").renameTo(outside)).isTrue();
      engine().drainPending();
      write(channel, " and new");
      engine().drainPending();
      long records = engine().stats().records();
      write(channel, "!");
      assertThat(engine().stats().records()).isEqualTo(records);
      channel.force(true);
    }
    assertThat(outside).hasContent("old and new!");
  }

  @Test
  void shouldFindAFileThatIsOpenedByItsNewName() throws IOException {
    try (FileChannel channel = channel("a")) {
      write(channel, "old");
      assertThat(file("a").renameTo(file("b"))).isTrue();
      try (FileChannel other = channel("b")) {
        assertThat(logged(other)).isSameAs(logged(channel));
        assertThat(logged(channel).path()).isEqualTo(file("b").toPath());
      }
    }
  }

  /** Its mapping may outlive its channel, but no program can open it again. */
  @Test
  void shouldLetGoOfAMappedFileThatWasDeleted() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    assumeTrue(Files.isDirectory(descriptors));
    for (int i = 0; i < 3; i++) {
      try (FileChannel channel = channel("segment")) {
        channel.map(MapMode.READ_WRITE, 0, 4096).put(0, (byte) 1);
      }
      assertThat(file("segment").delete()).isTrue();
    }
    alone(engine()::lookAtKept);
    assertThat(engine().files()).isEmpty();
  }

  @Test
  void shouldKeepAMappedFileThatHasAnotherName() throws IOException {
    try (FileChannel channel = channel("segment")) {
      channel.map(MapMode.READ_WRITE, 0, 4096).put(0, (byte) 1);
    }
    assertThat(file("segment").renameTo(file("old"))).isTrue();
    alone(engine()::lookAtKept);
    assertThat(isAt("old")).isTrue();
    try (FileChannel channel = channel("old")) {
      assertThat(logged(channel).hasLeft()).isTrue();
    }
  }

  private boolean isAt(String name) {
    return engine().files().stream().anyMatch(file -> file.path().equals(file(name).toPath()));
  }
}
