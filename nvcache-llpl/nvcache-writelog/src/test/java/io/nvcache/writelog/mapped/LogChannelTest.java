// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.format.LogLayout;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether a log can be opened, and is whole, after what happened to its channels. */
class LogChannelTest {
  private static final LogLayout LAYOUT = new LogLayout(2, LogLayout.MIN_LANE_BYTES, 4, 1, 0);

  @TempDir private Path directory;
  private Path log;

  @BeforeEach
  void resolve() throws IOException {
    log = directory.toRealPath().resolve("log");
  }

  private static LogFile open(Path path) throws IOException {
    return LogFile.open(path, LAYOUT, Persistence.EMULATED, Durability.NONE);
  }

  private void requireFree() throws IOException {
    assertThat(LogFile.isInUse(log)).isFalse();
    LogFile.look(log).close();
    open(log).close();
  }

  private static void interrupted(ThrowingCallable call) {
    Thread.currentThread().interrupt();
    try {
      assertThatThrownBy(call).isInstanceOf(ClosedByInterruptException.class);
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void shouldLetGoOfALogWhoseWipeWasInterrupted() throws IOException {
    open(log).close();
    try (LogFile taken = LogFile.take(log)) {
      interrupted(taken::wipe);
    }
    requireFree();
  }

  @Test
  void shouldLetGoOfALogWhoseInspectionWasInterrupted() throws IOException {
    open(log).close();
    try (LogFile first = LogFile.look(log);
        LogFile second = LogFile.look(log)) {
      interrupted(first::requireWhole);
      first.close();
      first.close();
      assertThatThrownBy(() -> open(log))
          .as("what the second close took away, looked at by %s", second)
          .hasMessageContaining("an inspection");
    }
    requireFree();
  }

  @Test
  void shouldLetGoOfALogWhoseChannelFailsToClose() throws IOException {
    open(log).close();
    Path failing =
        HookedPath.ofChannels(
            log,
            method -> {
              if (method.equals("close")) {
                throw new IOException("planted");
              }
            });
    LogFile taken = LogFile.take(failing);
    assertThatThrownBy(taken::close).hasRootCauseMessage("planted");
    requireFree();
  }
}
