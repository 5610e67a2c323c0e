// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.format.LogLayout;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

  /** Runs a call in another thread, until it ended, or waits for what this thread holds. */
  private static CompletableFuture<LogFile> inAnotherThread(Callable<LogFile> call) {
    CompletableFuture<LogFile> result = new CompletableFuture<>();
    Thread other =
        new Thread(
            () -> {
              try {
                result.complete(call.call());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            });
    other.start();
    while (!result.isDone() && other.getState() != Thread.State.BLOCKED) {
      Thread.yield();
    }
    return result;
  }

  /** To touch a page that was cut off under a mapping is a fault. */
  @Test
  @Timeout(60)
  void shouldShowNoLogThatIsTakenAwayAgain() {
    AtomicReference<CompletableFuture<LogFile>> looked = new AtomicReference<>();
    Path mapped =
        HookedPath.of(
            log,
            method -> {
              if (method.equals("getFileStore")
                  && Files.size(log) == LAYOUT.fileBytes()
                  && looked.get() == null) {
                looked.set(inAnotherThread(() -> LogFile.look(log)));
              }
            });
    assertThatThrownBy(
            () -> LogFile.open(mapped, LAYOUT, Persistence.PAGE_CACHE, Durability.POWER_FAIL))
        .hasMessageContaining("POWER_FAIL is asked for");
    assertThat(looked).as("a call between making and mapping").doesNotHaveValue(null);
    assertThat(looked.get())
        .failsWithin(Duration.ofMinutes(1))
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(NoSuchFileException.class);
    assertThat(log).doesNotExist();
  }

  @Test
  @Timeout(60)
  void shouldLookAtALogThatIsBeingClosed() throws Exception {
    open(log).close();
    AtomicReference<LogFile> taken = new AtomicReference<>();
    AtomicReference<CompletableFuture<LogFile>> closed = new AtomicReference<>();
    Path lent =
        HookedPath.ofChannels(
            log,
            method -> {
              if (method.equals("map") && taken.get() != null && closed.get() == null) {
                closed.set(
                    inAnotherThread(
                        () -> {
                          taken.get().close();
                          return taken.get();
                        }));
              }
            });
    taken.set(LogFile.take(lent));
    try (LogFile seen = LogFile.look(log)) {
      assertThat(closed).as("a call while it was mapped").doesNotHaveValue(null);
      assertThat(closed.get().get(1, TimeUnit.MINUTES)).isSameAs(taken.get());
      assertThat(seen.lane(1).getLong(0)).isZero();
    }
    requireFree();
  }

  private void replace() throws IOException {
    Files.move(log, directory.resolve("moved"));
    Files.writeString(log, "another's");
  }

  private void requireReplaced() {
    assertThat(log).hasContent("another's");
    assertThat(directory.resolve("moved")).isEmptyFile();
  }

  @Test
  void shouldKeepWhatReplacedALogThatCanNotBeMade() {
    Path replaced =
        HookedPath.of(
            log,
            method -> {
              if (method.equals("getFileStore")) {
                replace();
                throw new IOException("planted");
              }
            });
    assertThatThrownBy(() -> open(replaced)).hasMessage("planted");
    requireReplaced();
  }

  @Test
  void shouldKeepWhatReplacedALogThatCanNotBeMapped() {
    Path replaced =
        HookedPath.of(
            log,
            method -> {
              if (method.equals("getFileStore") && Files.size(log) == LAYOUT.fileBytes()) {
                replace();
                throw new IOException("planted");
              }
            });
    assertThatThrownBy(() -> open(replaced)).hasMessage("planted");
    requireReplaced();
  }

  @Test
  void shouldKeepWhatReplacedALogThatIsWiped() throws IOException {
    open(log).close();
    try (LogFile taken = LogFile.take(log)) {
      replace();
      assertThatThrownBy(taken::wipe).hasMessageContaining("moved or replaced");
    }
    assertThat(log).hasContent("another's");
    assertThat(directory.resolve("moved"))
        .as("what was wiped")
        .hasBinaryContent(new byte[(int) LAYOUT.fileBytes()]);
  }

  /** A log of which nothing is made, and one that is whole. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shouldSayWhyALogCanNotBeOpenedThatCanNotBeTakenAway(boolean isWhole) throws IOException {
    Path failing =
        HookedPath.of(
            log,
            method -> {
              if (method.equals("getFileStore") && Files.size(log) > 0 == isWhole) {
                throw new IOException("planted");
              }
              if (method.equals("deleteIfExists")) {
                throw new IOException("next");
              }
            });
    assertThatThrownBy(() -> open(failing))
        .hasMessage("planted")
        .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1))
        .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("next"));
    open(log).close();
    requireFree();
  }

  @Test
  void shouldSayWhyALogCanNotBeLookedAtThatCanNotBeClosed() throws IOException {
    open(log).close();
    for (String failing : List.of("read", "map")) {
      Path path =
          HookedPath.ofChannels(
              log,
              method -> {
                if (method.equals(failing) || method.equals("close")) {
                  throw new IOException(method);
                }
              });
      for (ThrowingCallable call :
          List.<ThrowingCallable>of(() -> LogFile.look(path), () -> LogFile.take(path))) {
        assertThatThrownBy(call)
            .hasMessage(failing)
            .satisfies(e -> assertThat(e.getSuppressed()).hasSize(1))
            .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("close"));
        requireFree();
      }
    }
  }
}
