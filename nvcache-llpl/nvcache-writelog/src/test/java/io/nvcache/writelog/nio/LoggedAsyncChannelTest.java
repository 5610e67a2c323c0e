// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JDK's own tests of asynchronous channels ask, and more easily seen. */
class LoggedAsyncChannelTest {
  @TempDir private Path directory;
  private FileSystem files;
  private Path file;
  private AsynchronousFileChannel channel;
  private final ExecutorService thread = Executors.newSingleThreadExecutor();

  @BeforeEach
  void open() throws Exception {
    Path root = Files.createDirectory(directory.toRealPath().resolve("root"));
    files =
        FileSystems.newFileSystem(
            URI.create("nvlog:///"),
            Map.of(
                "nvcache.writelog.path", directory.resolve("log").toString(),
                "nvcache.writelog.roots", root.toString(),
                "nvcache.writelog.capacityBytes", "1048576",
                "nvcache.writelog.lanes", "1",
                "nvcache.writelog.persistence", "emulated"));
    file = files.getPath(root.toString(), "a");
    channel = AsynchronousFileChannel.open(file, Set.of(CREATE, READ, WRITE), thread);
  }

  @AfterEach
  void close() throws Exception {
    thread.shutdown();
    channel.close();
    files.close();
  }

  private static ByteBuffer bytes() {
    return ByteBuffer.wrap(new byte[5]);
  }

  private static final class CallingThread extends AbstractExecutorService {
    @Override
    public void execute(Runnable work) {
      work.run();
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return false;
    }
  }

  private static class Ignored<V> implements CompletionHandler<V, Void> {
    @Override
    public void completed(V result, Void attachment) {}

    @Override
    public void failed(Throwable failure, Void attachment) {}
  }

  @Test
  void shouldRefuseAtOnceWhatItWasNotOpenedFor() throws Exception {
    try (AsynchronousFileChannel writer = AsynchronousFileChannel.open(file, WRITE);
        AsynchronousFileChannel reader = AsynchronousFileChannel.open(file, READ)) {
      assertThatThrownBy(() -> writer.read(ByteBuffer.allocate(1), 0))
          .isInstanceOf(NonReadableChannelException.class);
      assertThatThrownBy(() -> writer.read(ByteBuffer.allocate(1), 0, null, new Ignored<>()))
          .isInstanceOf(NonReadableChannelException.class);
      assertThatThrownBy(() -> reader.write(ByteBuffer.allocate(1), 0))
          .isInstanceOf(NonWritableChannelException.class);
      assertThatThrownBy(() -> reader.write(ByteBuffer.allocate(1), 0, null, new Ignored<>()))
          .isInstanceOf(NonWritableChannelException.class);
    }
    assertThatThrownBy(() -> AsynchronousFileChannel.open(file, WRITE, APPEND))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void shouldRefuseALockOfThisJvmAtOnce() throws Exception {
    FileLock lock = channel.lock(0, 10, false).get();
    assertThatThrownBy(() -> channel.lock(5, 1, false))
        .isInstanceOf(OverlappingFileLockException.class);
    assertThatThrownBy(() -> channel.lock(5, 1, false, null, new Ignored<>()))
        .isInstanceOf(OverlappingFileLockException.class);
    channel.lock(10, 1, false).get().release();
    lock.release();
    channel.lock(5, 1, false).get().release();
  }

  @Test
  void shouldKeepNoLockIfTheExecutorTakesNoWork() throws Exception {
    thread.shutdown();
    assertThatThrownBy(() -> channel.lock(0, 10, false))
        .isInstanceOf(RejectedExecutionException.class);
    assertThatThrownBy(() -> channel.lock(0, 10, false, null, new Ignored<>()))
        .isInstanceOf(RejectedExecutionException.class);
    FileLock lock = channel.tryLock(0, 10, false);
    assertThat(lock).isNotNull();
    lock.release();
  }

  @Test
  void shouldKeepALockThatAThrowingHandlerWasHanded() throws Exception {
    List<FileLock> handed = new ArrayList<>();
    try (AsynchronousFileChannel other =
        AsynchronousFileChannel.open(file, Set.of(WRITE), new CallingThread())) {
      assertThatThrownBy(
              () ->
                  other.lock(
                      0,
                      10,
                      false,
                      null,
                      new Ignored<FileLock>() {
                        @Override
                        public void completed(FileLock result, Void attachment) {
                          handed.add(result);
                          throw new IllegalStateException("a handler's fault");
                        }
                      }))
          .hasMessage("a handler's fault");
      assertThat(handed).singleElement().matches(FileLock::isValid);
    }
  }

  @Test
  void shouldOutliveAnInterruptThatAHandlerLeaves() throws Exception {
    channel.write(
        bytes(),
        0,
        null,
        new CompletionHandler<Integer, Void>() {
          @Override
          public void completed(Integer result, Void attachment) {
            Thread.currentThread().interrupt();
          }

          @Override
          public void failed(Throwable failure, Void attachment) {}
        });
    assertThat(channel.write(bytes(), 5).get()).isEqualTo(5);
    assertThat(channel.isOpen()).isTrue();
  }

  @Test
  void shouldSayThatAChannelWasClosedMeanwhile() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    Future<Void> busy =
        thread.submit(
            () -> {
              closed.await();
              return null;
            });
    Future<Integer> write = channel.write(bytes(), 0);
    channel.close();
    closed.countDown();
    busy.get();
    assertThatThrownBy(write::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(AsynchronousCloseException.class);
    assertThatThrownBy(() -> channel.write(bytes(), 0).get())
        .cause()
        .isExactlyInstanceOf(ClosedChannelException.class);
    assertThatThrownBy(() -> channel.lock().get())
        .cause()
        .isExactlyInstanceOf(ClosedChannelException.class);
  }

  /** H2 opens its files so, because the platform's channels are closed by no interrupt. */
  @Test
  void shouldOutliveAnInterruptOfItsCaller() throws Exception {
    try (AsynchronousFileChannel calling =
        AsynchronousFileChannel.open(file, Set.of(READ, WRITE), new CallingThread())) {
      Thread.currentThread().interrupt();
      assertThat(calling.write(bytes(), 0).isDone()).isTrue();
      calling.truncate(3);
      calling.force(true);
      assertThat(calling.size()).isEqualTo(3);
      assertThat(Thread.interrupted()).isTrue();
      assertThat(calling.isOpen()).isTrue();
      assertThat(calling.read(ByteBuffer.allocate(5), 0).get()).isEqualTo(3);
    }
  }
}
