// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.NameChanges;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes past the file system of the log, of which somebody tells it. */
class OutsideChangesTest {
  @TempDir private Path directory;
  private Path root;
  private WriteLog log;
  private OutsideChanges outside;

  @BeforeEach
  void open() throws IOException {
    root = Files.createDirectory(directory.toRealPath().resolve("root"));
    log =
        WriteLog.builder(directory.resolve("log"))
            .root(root)
            .capacityBytes(1 << 20)
            .persistence(Persistence.EMULATED)
            .propagation(Propagation.DEFERRED)
            .open();
    outside = new OutsideChanges(log);
  }

  @AfterEach
  void close() throws IOException {
    log.close();
  }

  private FileChannel channel(Path path) throws IOException {
    return new ChannelOpening(path.getFileSystem().provider(), log.engine())
        .open(path, Set.of(CREATE, WRITE));
  }

  private static void write(FileChannel channel, String text) throws IOException {
    channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
  }

  private boolean isDrained() {
    return log.engine().drainedSeq() == log.engine().lastSeq();
  }

  @Test
  void shouldDrainWhatIsDeleted() throws IOException {
    Path path = root.resolve("a");
    try (FileChannel channel = channel(path)) {
      write(channel, "old");
      try (NameChanges.Held held = Objects.requireNonNull(outside.beforeDelete(path))) {
        assertThat(isDrained()).isTrue();
        assertThat(path.toFile().delete()).isTrue();
        held.changed();
      }
      long records = log.engine().stats().records();
      write(channel, "without a name");
      assertThat(log.engine().stats().records()).isEqualTo(records);
    }
  }

  @Test
  void shouldGoOnByTheOldNameIfNothingChanged() throws IOException {
    Path path = root.resolve("a");
    try (FileChannel channel = channel(path)) {
      write(channel, "old");
      Objects.requireNonNull(outside.beforeDelete(path)).close();
      write(channel, " and new");
      assertThat(log.engine().stats().records()).isEqualTo(2);
    }
  }

  @Test
  void shouldFollowARenaming() throws IOException {
    Path path = root.resolve("a");
    Path to = root.resolve("b");
    try (FileChannel channel = channel(path)) {
      write(channel, "old");
      try (NameChanges.Held held = Objects.requireNonNull(outside.beforeRename(path, to))) {
        assertThat(path.toFile().renameTo(to.toFile())).isTrue();
        held.changed();
      }
      assertThat(log.engine().files()).allMatch(file -> file.path().equals(to));
      write(channel, " and new");
    }
    log.drain();
    assertThat(to).hasContent("old and new");
  }

  @Test
  void shouldNotLogAFileWhileOthersWriteIt() throws IOException {
    Path path = root.resolve("a");
    try (FileChannel channel = channel(path)) {
      write(channel, "old");
      OutsideChanges.Writer writer = Objects.requireNonNull(outside.beforeWrite(path));
      assertThat(path).hasContent("old");
      try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
        writer.opened();
        file.writeBytes("new");
        write(channel, " at once");
        assertThat(path).hasContent("new at once");
      }
      assertThat(log.engine().stats().records()).isEqualTo(1);
      writer.close();
    }
    try (FileChannel channel = channel(path)) {
      write(channel, "logged again");
      assertThat(log.engine().stats().records()).isEqualTo(2);
    }
  }

  @Test
  void shouldKnowAFileThatAWriterMakes() throws IOException {
    Path path = root.resolve("a");
    OutsideChanges.Writer writer = Objects.requireNonNull(outside.beforeWrite(path));
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw");
        FileChannel channel = channel(path)) {
      writer.opened();
      file.writeBytes("old");
      try (FileChannel other = channel(path)) {
        write(other, "new");
      }
      assertThat(channel.size()).isEqualTo(3);
      assertThat(log.engine().stats().records()).isZero();
    }
    writer.close();
    assertThat(log.engine().files()).isEmpty();
  }

  @Test
  void shouldShowWhatIsDeferred() throws IOException {
    Path path = root.resolve("a");
    try (FileChannel channel = channel(path)) {
      write(channel, "old");
      outside.beforeLook(path);
      assertThat(path.toFile().length()).isEqualTo(3);
    }
  }

  @Test
  void shouldLeaveOthersAlone() throws IOException {
    Path other = Files.createFile(directory.resolve("other"));
    assertThat(outside.beforeDelete(other)).isNull();
    assertThat(outside.beforeRename(other, directory.resolve("more"))).isNull();
    assertThat(outside.beforeWrite(other)).isNull();
  }
}
