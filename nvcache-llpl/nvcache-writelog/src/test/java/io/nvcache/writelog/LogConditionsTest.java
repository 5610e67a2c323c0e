// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogConditionsTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

  @TempDir Path directory;
  private final AtomicLong nanoTime = new AtomicLong(5);
  private final List<String> heard = new ArrayList<>();

  private final class Recorder implements WriteLogListener {
    @Override
    public void begun(WriteLogCondition condition, String reason) {
      assertThat(reason).isNotBlank();
      heard.add(condition + " begun");
    }

    @Override
    public void ended(WriteLogCondition condition) {
      heard.add(condition + " ended");
    }
  }

  private static final class Failing implements WriteLogListener {
    @Override
    public void begun(WriteLogCondition condition, String reason) {
      throw new IllegalStateException("planted");
    }

    @Override
    public void ended(WriteLogCondition condition) {
      throw new AssertionError("planted");
    }
  }

  @Test
  void shouldReportWhatBeginsAndWhatEnds() throws IOException {
    Path root = Files.createDirectory(directory.toRealPath().resolve("root"));
    try (WriteLog log =
        WriteLog.builder(directory.toRealPath().resolve("log"))
            .root(root)
            .capacityBytes(1 << 20)
            .lanes(1)
            .persistence(Persistence.EMULATED)
            .open()) {
      LogConditions conditions =
          new LogConditions(log.file, log.engine(), log.recovery(), nanoTime::get);
      conditions.add(new Failing());
      conditions.add(new Recorder());
      conditions.look();
      assertThat(heard).containsExactly("EMULATED begun");
      fill(log, root);
      conditions.look(); // The second is not over.
      assertThat(heard).hasSize(1);
      nanoTime.addAndGet(SECOND);
      conditions.look();
      assertThat(heard).containsExactly("EMULATED begun", "FULL begun");
      assertThat(conditions.present())
          .containsOnlyKeys(WriteLogCondition.FULL, WriteLogCondition.EMULATED);
      for (int i = 0; i < 10; i++) {
        nanoTime.addAndGet(SECOND);
        conditions.look();
      }
      assertThat(heard).containsExactly("EMULATED begun", "FULL begun", "FULL ended");
      assertThat(conditions.present()).containsOnlyKeys(WriteLogCondition.EMULATED);
    }
  }

  private static void fill(WriteLog log, Path root) throws IOException {
    Path path = Files.createFile(root.resolve("a"));
    LogEngine engine = log.engine();
    engine.names().lock();
    LoggedFile file;
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      file = engine.open(path, key, true);
    } finally {
      engine.names().unlock();
    }
    for (int i = 0; log.stats().waits() == 0; i++) {
      file.write(new ByteBuffer[] {ByteBuffer.allocate(200_000)}, 0, 1, 0);
      assertThat(i).as("writes without a wait").isLessThan(100_000);
    }
  }
}
