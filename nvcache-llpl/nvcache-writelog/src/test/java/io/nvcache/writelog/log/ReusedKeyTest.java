// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file is deleted while it is read or mapped, and the next file gets its number. */
class ReusedKeyTest {
  private static final String KEY = "the number of an inode";

  @TempDir Path directory;
  private Path root;
  private LogFile log;

  @BeforeEach
  void open() throws IOException {
    root = Files.createDirectory(directory.toRealPath().resolve("root"));
    LogLayout layout = new LogLayout(1, 1 << 20, 16, 1, 0);
    log =
        LogFile.open(directory.resolve("log"), layout, Persistence.EMULATED, Durability.POWER_FAIL);
  }

  @AfterEach
  void close() {
    log.close();
  }

  private LogEngine engine(Propagation propagation) throws IOException {
    Path orphans = directory.toRealPath().resolve("orphans");
    LogSettings settings =
        new LogSettings(List.of(root), orphans, true, 50_000_000, propagation, 100);
    return new LogEngine(
        log, log.layout(), new PlatformDisk(), settings, System::currentTimeMillis);
  }

  private static void write(LoggedFile file, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    file.write(new ByteBuffer[] {bytes}, 0, 1, -1);
  }

  private LoggedFile mapped(LogEngine engine, Path path) throws IOException {
    LoggedFile file = engine.openToRead(path, KEY);
    engine.names().lock();
    try {
      file.writeThrough();
      file.uses().keep();
      file.uses().release();
    } finally {
      engine.names().unlock();
    }
    return file;
  }

  @ParameterizedTest
  @EnumSource(Propagation.class)
  void shouldLogWritesOfTheNextFile_AfterADeletion(Propagation propagation) throws IOException {
    LogEngine engine = engine(propagation);
    Path a = Files.createFile(root.resolve("a"));
    mapped(engine, a);
    NameChanges.delete(engine, a, () -> KEY, () -> Files.delete(a));
    Path other = Files.writeString(root.resolve("a"), "of another inode");
    Path b = Files.createFile(root.resolve("b"));

    LoggedFile next = engine.open(b, KEY, true);
    assertThat(next.hasLeft()).isFalse();
    long before = engine.lastSeq();
    write(next, "acknowledged");

    assertThat(engine.lastSeq()).as("records of the log").isGreaterThan(before);
    engine.drainPending();
    assertThat(b).hasContent("acknowledged");
    assertThat(other).hasContent("of another inode");
  }

  @ParameterizedTest
  @EnumSource(Propagation.class)
  void shouldWriteToTheNextFile_AfterADeletionThatTheLogDidNotSee(Propagation propagation)
      throws IOException {
    LogEngine engine = engine(propagation);
    Path a = Files.createFile(root.resolve("a"));
    mapped(engine, a);
    Files.delete(a);
    Path b = Files.createFile(root.resolve("b"));

    write(engine.open(b, KEY, true), "acknowledged");

    engine.drainPending();
    assertThat(b).hasContent("acknowledged");
    assertThat(a).doesNotExist();
  }

  @Test
  void shouldKnowAFileByEachOfItsNames() throws IOException {
    LogEngine engine = engine(Propagation.DEFERRED);
    Path a = Files.createFile(root.resolve("a"));
    Path b = Files.createLink(root.resolve("b"), a);
    LoggedFile reader = engine.openToRead(a, KEY);
    assertThat(engine.open(b, KEY, false)).isSameAs(reader);
  }
}
