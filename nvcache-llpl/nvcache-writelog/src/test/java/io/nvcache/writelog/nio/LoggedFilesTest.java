// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LogEngine;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What programs do to files besides writing them, while the log holds what they wrote. */
class LoggedFilesTest {
  private static final int SLOTS = 8;

  @TempDir private Path directory;
  private FileSystem files;
  private Path root;

  private void open(Propagation propagation, String persistence) throws IOException {
    Path plain = Files.createDirectories(directory.toRealPath().resolve("root"));
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
                "nvcache.writelog.fileSlots",
                "" + SLOTS,
                "nvcache.writelog.persistence",
                persistence,
                "nvcache.writelog.require",
                "PROCESS_CRASH",
                "nvcache.writelog.propagation",
                propagation.name()));
    root = files.getPath(plain.toString());
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

  private boolean isDrained() {
    return engine().drainedSeq() == engine().lastSeq();
  }

  /** The system takes its name away at once, and a recovery would give it back. */
  @Test
  void shouldDrainAFileThatIsDeletedWhenItIsClosed() throws IOException {
    open(Propagation.ON_WRITE, "emulated");
    Path spool = root.resolve("spool");
    Files.writeString(spool, "spooled");
    try (InputStream in = Files.newInputStream(spool, DELETE_ON_CLOSE)) {
      assertThat(isDrained()).isTrue();
      assertThat(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo("spooled");
    }
    assertThat(spool).doesNotExist();
    try (FileChannel fresh = FileChannel.open(spool, CREATE, WRITE, DELETE_ON_CLOSE)) {
      assertThat(fresh.write(ByteBuffer.allocate(1))).isEqualTo(1);
    }
    assertThat(spool).doesNotExist();
  }

  /** A recovery takes a file for another program's that is newer than the log's last record. */
  @Test
  void shouldDrainAFileWhoseTimesAreSet() throws IOException {
    open(Propagation.ON_WRITE, "emulated");
    Path file = root.resolve("a");
    FileTime future = FileTime.from(Instant.now().plusSeconds(1000));
    Files.writeString(file, "one");
    Files.setLastModifiedTime(file, future);
    assertThat(isDrained()).isTrue();
    Files.writeString(file, "two");
    Files.setAttribute(file, "lastModifiedTime", future);
    assertThat(isDrained()).isTrue();
    assertThat(Files.getLastModifiedTime(file)).isEqualTo(future);
  }

  @Test
  void shouldLeaveNoFileBehindThatItCanNotLog() throws IOException {
    open(Propagation.ON_WRITE, "emulated");
    Path deep = root;
    while (deep.toString().length() < 1000) {
      deep = Files.createDirectory(deep.resolve("d".repeat(100)));
    }
    Path tooLong = deep.resolve("f".repeat(100));
    assertThatThrownBy(() -> Files.writeString(tooLong, "x")).hasMessageContaining("at most");
    assertThat(tooLong).doesNotExist();
  }

  /** Each keeps its file open, but no slot. */
  @Test
  void shouldMapMoreFilesForReadingThanTheLogHasSlots() throws IOException {
    open(Propagation.DEFERRED, "emulated");
    for (int i = 0; i < 3 * SLOTS; i++) {
      Path file = root.resolve("segment" + i);
      Files.writeString(file, "segment");
      try (FileChannel channel = FileChannel.open(file, READ)) {
        assertThat(channel.map(MapMode.READ_ONLY, 0, 7).get(0)).isEqualTo((byte) 's');
      }
    }
  }

  /** Below a loss of power, what another channel has left in the log is not durable. */
  @Test
  void shouldForceThroughAChannelForReadingWhatAnotherWrote() throws IOException {
    open(Propagation.DEFERRED, "page_cache");
    Path file = root.resolve("a");
    Files.writeString(file, "deferred");
    try (FileChannel reader = FileChannel.open(file, READ)) {
      reader.force(true);
      assertThat(isDrained()).isTrue();
    }
  }
}
