// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

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
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the JDK's own tests of asynchronous channels ask, and more easily seen. */
class LoggedAsyncChannelTest {
  @TempDir private Path directory;
  private FileSystem files;
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
    Path file = files.getPath(root.toString(), "a");
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

  private static final class Ignored<V> implements CompletionHandler<V, Void> {
    @Override
    public void completed(V result, Void attachment) {}

    @Override
    public void failed(Throwable failure, Void attachment) {}
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
}
