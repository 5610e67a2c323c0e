// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.crash.ForwardingDisk;
import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a disk whose syncs take as long as the test says. */
class DrainPaceTest {
  private static final int LANE_BYTES = 1 << 20;

  @TempDir private Path directory;
  private LogFile log;
  private LogEngine engine;
  private LoggedFile file;
  private DrainPace pace;
  private long now = Long.MAX_VALUE - 1000; // It overflows while the test runs.
  private long syncNanos;
  private int syncs;

  private final class SlowDisk extends ForwardingDisk {
    SlowDisk() {
      super(new PlatformDisk());
    }

    @Override
    protected DiskFile wrap(Path path, DiskFile file) {
      return new ForwardingFile(file) {
        @Override
        public void forceData() throws IOException {
          syncs++;
          now += syncNanos;
          super.forceData();
        }
      };
    }
  }

  @BeforeEach
  void open() throws IOException {
    Path root = Files.createDirectory(directory.toRealPath().resolve("root"));
    LogLayout layout = new LogLayout(1, LANE_BYTES, 16, 1, 0);
    log =
        LogFile.open(directory.resolve("log"), layout, Persistence.EMULATED, Durability.POWER_FAIL);
    LogSettings settings =
        new LogSettings(
            List.of(root), directory.resolve("orphans"), true, TimeUnit.MINUTES.toNanos(1));
    engine = new LogEngine(log, layout, new SlowDisk(), settings, System::currentTimeMillis);
    file = engine.open(Files.createFile(root.resolve("a")), "a", false);
    pace = new DrainPace(engine, () -> now);
  }

  @AfterEach
  void close() throws IOException {
    engine.close();
    log.close();
  }

  private void write(int bytes) throws IOException {
    file.write(new ByteBuffer[] {ByteBuffer.allocate(bytes)}, 0, 1, 0);
  }

  private int syncsOf(Runnable work) {
    int before = syncs;
    work.run();
    return syncs - before;
  }

  @Test
  void shouldDrainEachTimeWhileTheDiskIsFast() throws IOException {
    for (int i = 0; i < 5; i++) {
      write(100);
      assertThat(syncsOf(pace::round)).isEqualTo(1);
    }
  }

  @Test
  void shouldRestFourTimesAsLongAsADrainTook() throws IOException {
    syncNanos = 10_000;
    write(100);
    assertThat(syncsOf(pace::round)).isEqualTo(1);
    write(100);
    now += 39_999;
    assertThat(syncsOf(pace::round)).isZero();
    now += 1;
    assertThat(syncsOf(pace::round)).isEqualTo(1);
  }

  @Test
  void shouldNotRestForever() throws IOException {
    syncNanos = TimeUnit.HOURS.toNanos(1);
    write(100);
    pace.round();
    write(100);
    now += TimeUnit.SECONDS.toNanos(5);
    assertThat(syncsOf(pace::round)).isEqualTo(1);
  }

  @Test
  void shouldNotRestWhileTheLogFills() throws IOException {
    syncNanos = 10_000;
    write(100);
    pace.round();
    write(LANE_BYTES / 4 - 1000);
    assertThat(syncsOf(pace::round)).as("less than a quarter is full").isZero();
    write(2000);
    assertThat(syncsOf(pace::round)).isEqualTo(1);
  }

  /** A drain gives only those slots back whose files are not open. */
  @Test
  void shouldNotRestWhileClosedFilesKeepManySlots() throws IOException {
    syncNanos = 10_000;
    write(100);
    pace.round();
    List<LoggedFile> files = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Path path = Files.createFile(engine.settings().roots().get(0).resolve("b" + i));
      LoggedFile other = engine.open(path, "b" + i, false);
      other.write(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1, 0);
      files.add(other);
    }
    assertThat(syncsOf(pace::round)).as("all are open").isZero();
    close(files.get(0));
    assertThat(syncsOf(pace::round)).as("one of four that a drain can free").isZero();
    close(files.get(1));
    assertThat(syncsOf(pace::round)).isPositive();
  }

  private void close(LoggedFile closed) throws IOException {
    engine.names().lock();
    try {
      closed.uses().release();
    } finally {
      engine.names().unlock();
    }
  }
}
