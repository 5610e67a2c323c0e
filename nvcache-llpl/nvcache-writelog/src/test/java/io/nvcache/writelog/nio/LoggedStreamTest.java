// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LoggedStreamTest {
  private static final int ROUNDS = 300;
  private static final int BYTES = 100;

  @TempDir private Path directory;

  /** It adds zeros, of which the log has the last one, and another thread writes that place. */
  @ParameterizedTest
  @EnumSource
  void shouldNotUndoAWriteByMakingTheFileLonger(Propagation propagation) throws Exception {
    Path root = Files.createDirectory(directory.toRealPath().resolve("root"));
    Path path = root.resolve("a");
    try (WriteLog log =
            WriteLog.builder(directory.toRealPath().resolve("log"))
                .root(root)
                .capacityBytes(1 << 20)
                .persistence(Persistence.EMULATED)
                .propagation(propagation)
                .open();
        RandomAccessFile first = new RandomAccessFile(path.toFile(), "rw");
        RandomAccessFile second = new RandomAccessFile(path.toFile(), "rw")) {
      LoggedStream longer = stream(log.engine(), path, first);
      LoggedStream writer = stream(log.engine(), path, second);
      CyclicBarrier barrier = new CyclicBarrier(2);
      for (int i = 0; i < ROUNDS; i++) {
        longer.setLength(first, 0);
        second.seek(BYTES - 1);
        FutureTask<Void> lengthening =
            new FutureTask<>(
                () -> {
                  barrier.await();
                  longer.setLength(first, BYTES);
                  return null;
                });
        new Thread(lengthening).start();
        barrier.await();
        writer.write(new byte[] {7}, 0, 1);
        lengthening.get();
        assertThat(second.length()).isEqualTo(BYTES);
        second.seek(BYTES - 1);
        assertThat(second.read()).as("round %d", i).isEqualTo(7);
      }
      longer.end();
      writer.end();
    }
  }

  private static LoggedStream stream(LogEngine engine, Path path, RandomAccessFile stream)
      throws Exception {
    LoggedFile file =
        Objects.requireNonNull(
            new ChannelOpening(path.getFileSystem().provider(), engine).openFile(path));
    if (engine.defers()) {
      file.writeThrough();
    }
    return new LoggedStream(engine, file, stream, new ChannelMode(true, true, false, false));
  }
}
