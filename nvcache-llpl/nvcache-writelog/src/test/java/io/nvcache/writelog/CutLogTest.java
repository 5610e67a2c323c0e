// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A log whose file another program cuts short. Nothing here touches what is gone. */
class CutLogTest {
  private static final long DEADLINE_NANOS = TimeUnit.MINUTES.toNanos(1);

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void shouldRefuseAllOnceItsFileIsCutShort(Propagation propagation) throws Exception {
    Path real = directory.toRealPath();
    Path root = Files.createDirectory(real.resolve("root"));
    Path path = Files.createFile(root.resolve("a"));
    WriteLog log =
        WriteLog.builder(real.resolve("log"))
            .root(root)
            .capacityBytes(1 << 20)
            .lanes(1)
            .persistence(Persistence.EMULATED)
            .propagation(propagation)
            .open();
    LoggedFile file = open(log.engine(), path);
    write(file, "acknowledged");
    log.drain();
    cut(log.path());
    String reason = reason(log);
    assertThat(reason).contains(log.path().toString(), "cut short to 0 of", "another program");
    assertThatThrownBy(() -> write(file, "more"))
        .isInstanceOf(IOException.class)
        .hasMessage(reason);
    assertThatThrownBy(file::force).isInstanceOf(IOException.class).hasMessage(reason);
    assertThat(path).hasContent("acknowledged");
    log.close(); // Nothing is pending.
  }

  private static LoggedFile open(LogEngine engine, Path path) throws IOException {
    engine.names().lock();
    try {
      return engine.open(path, "key", false);
    } finally {
      engine.names().unlock();
    }
  }

  private static void write(LoggedFile file, String text) throws IOException {
    file.write(new ByteBuffer[] {ByteBuffer.wrap(text.getBytes(UTF_8))}, 0, 1, 0);
  }

  private static void cut(Path log) throws IOException {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
  }

  /** The log's own thread looks, once a second. */
  private static String reason(WriteLog log) throws InterruptedException {
    long began = System.nanoTime();
    String reason = null;
    while (reason == null && System.nanoTime() - began < DEADLINE_NANOS) {
      Thread.sleep(10);
      reason = log.conditions().get(WriteLogCondition.CUT_SHORT);
    }
    assertThat(reason).as("the condition's reason").isNotNull();
    return reason;
  }
}
