// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A background thread continues whatever its work throws, and ends when it is told to. */
@Timeout(60)
final class BackgroundThreadTest {
  private static final long PERIOD = TimeUnit.MILLISECONDS.toNanos(1);

  /** Fails again in the log, which asks for its message. */
  private static final class Unspeakable extends Error {
    private static final long serialVersionUID = 1;

    @Override
    public String getMessage() {
      throw new IllegalStateException("no message");
    }

    @Override
    public String toString() {
      throw new OutOfMemoryError("no words");
    }
  }

  private static Stream<Supplier<Throwable>> failures() {
    return Stream.of(
        () -> new IllegalStateException("a bug"),
        () -> new AssertionError("a policy's"),
        () -> new OutOfMemoryError("a full heap"),
        StackOverflowError::new,
        () -> new LinkageError("another version"),
        Unspeakable::new);
  }

  @ParameterizedTest
  @MethodSource("failures")
  void shouldGoOnAfterARoundThatFailed(Supplier<Throwable> failure) throws Exception {
    BlockingQueue<Integer> rounds = new LinkedBlockingQueue<>();
    BackgroundThread thread =
        new BackgroundThread(
            "test",
            PERIOD,
            () -> {
              rounds.add(1);
              BackgroundThreadTest.<Error>sneak(failure.get());
            });
    thread.start();
    for (int round = 0; round < 3; round++) {
      assertThat(rounds.take()).isEqualTo(1);
    }
    assertThat(thread.hasDied()).isFalse();
    thread.end();
    assertThat(thread.awaitEnd(Long.MAX_VALUE)).isTrue();
    assertThat(thread.hasDied()).as("it was told to end").isFalse();
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> void sneak(Throwable failure) throws E {
    throw (E) failure;
  }

  /** With the interrupt it would not park, but spin. */
  @Test
  void shouldDropTheInterruptOfARound() throws Exception {
    CompletableFuture<Thread> ran = new CompletableFuture<>();
    BackgroundThread thread =
        new BackgroundThread(
            "test",
            TimeUnit.DAYS.toNanos(1),
            () -> {
              Thread.currentThread().interrupt();
              ran.complete(Thread.currentThread());
            });
    thread.start();
    thread.wake();
    while (ran.get().isInterrupted()) {
      Thread.sleep(1); // The test's time limit interrupts it.
    }
    thread.end();
    assertThat(thread.awaitEnd(Long.MAX_VALUE)).isTrue();
  }

  @Test
  void shouldRunARoundSoonWhenWoken() throws Exception {
    CompletableFuture<Void> ran = new CompletableFuture<>();
    BackgroundThread thread =
        new BackgroundThread("test", TimeUnit.DAYS.toNanos(1), () -> ran.complete(null));
    thread.start();
    thread.wake();
    ran.get();
    thread.end();
    assertThat(thread.awaitEnd(Long.MAX_VALUE)).isTrue();
  }

  /** Test frameworks and containers end the threads of a group together. */
  @Test
  void shouldRunOutsideTheGroupOfItsFirstCaller() throws Exception {
    CompletableFuture<ThreadGroup> ran = new CompletableFuture<>();
    BackgroundThread thread =
        new BackgroundThread(
            "test", PERIOD, () -> ran.complete(Thread.currentThread().getThreadGroup()));
    ThreadGroup group = new ThreadGroup("of one request");
    Thread caller = new Thread(group, thread::start);
    caller.start();
    caller.join();
    assertThat(group.parentOf(ran.get())).isFalse();
    thread.end();
    assertThat(thread.awaitEnd(Long.MAX_VALUE)).isTrue();
  }

  @Test
  void shouldNotWaitForItself() throws Exception {
    CompletableFuture<Boolean> awaited = new CompletableFuture<>();
    BackgroundThread[] self = new BackgroundThread[1];
    self[0] =
        new BackgroundThread(
            "test",
            PERIOD,
            () -> {
              self[0].end();
              awaited.complete(self[0].awaitEnd(Long.MAX_VALUE));
            });
    self[0].start();
    assertThat(awaited.get()).isFalse();
    assertThat(self[0].awaitEnd(Long.MAX_VALUE)).isTrue();
  }

  @Test
  void shouldNotStartOnceItIsEnded() {
    BackgroundThread thread = new BackgroundThread("test", PERIOD, () -> {});
    assertThat(thread.whereabouts()).contains("nvcache-test-", "was not started");
    thread.end();
    thread.start();
    assertThat(thread.awaitEnd(0)).isTrue();
    assertThat(thread.hasDied()).isFalse();
  }

  @Test
  void shouldTellWhereItIs() throws Exception {
    CompletableFuture<Void> inside = new CompletableFuture<>();
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    BackgroundThread thread =
        new BackgroundThread(
            "test",
            PERIOD,
            () -> {
              inside.complete(null);
              goOn.join();
            });
    thread.start();
    inside.get();
    assertThat(thread.whereabouts()).contains("nvcache-test-", " is at ");
    assertThat(thread.awaitEnd(1)).as("within the time given").isFalse();
    goOn.complete(null);
    thread.end();
    assertThat(thread.awaitEnd(Long.MAX_VALUE)).isTrue();
    assertThat(thread.whereabouts()).contains("has ended");
  }

  @Test
  void shouldLogWhatThrowsWithoutThrowing() {
    for (Throwable failure : List.of(new Unspeakable(), new IllegalStateException("said"))) {
      SafeLog.error(
          org.slf4j.LoggerFactory.getLogger(BackgroundThreadTest.class),
          "{} {}",
          failure,
          "",
          failure);
    }
  }
}
