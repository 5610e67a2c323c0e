// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.crash.ForwardingDisk;
import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.mapped.LogFile;
import io.nvcache.writelog.pages.PageKeys;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SyncAheadTest {
  private static final int PAGES = 40;
  private static final int BATCH = 100;
  private static final int PAGES_OF_A_SYNC = BATCH / 8;
  private static final LogLayout LAYOUT = new LogLayout(1, 1 << 20, 16, 1, 0);

  @TempDir private Path directory;

  /** The threads of syncs, in their order. */
  private final List<String> syncs = Collections.synchronizedList(new ArrayList<>());

  /** Which of the syncs fails, from 0 on. */
  private volatile int failing = -1;

  private final ForwardingDisk disk =
      new ForwardingDisk(new PlatformDisk()) {
        @Override
        protected DiskFile wrap(Path path, DiskFile file) {
          return new ForwardingFile(file) {
            @Override
            public void forceData() throws IOException {
              syncs.add(Thread.currentThread().getName());
              if (syncs.size() - 1 == failing) {
                throw new IOException("input/output error");
              }
              super.forceData();
            }
          };
        }
      };

  private final Queue<Runnable> waiting = new ArrayDeque<>();

  private DiskFile file() throws IOException {
    return disk.open(Files.createFile(directory.resolve("file")));
  }

  @Test
  void shouldRunOneSyncAtATimeForSoManyPages() throws IOException {
    SyncAhead ahead = new SyncAhead(waiting::add, BATCH);
    ahead.begin(file());
    ahead.beforeWrite(PAGES_OF_A_SYNC - 1);
    ahead.beforeWrite(1);
    assertThat(waiting).isEmpty(); // The last page is still to be written.
    ahead.beforeWrite(2 * PAGES_OF_A_SYNC);
    assertThat(waiting).hasSize(1);
    ahead.beforeWrite(1);
    assertThat(waiting).hasSize(1);
    waiting.remove().run();
    ahead.beforeWrite(1);
    assertThat(waiting).hasSize(1);
    waiting.remove().run();
    ahead.end();
    assertThat(syncs).hasSize(2);
  }

  @Test
  void shouldDoNothingOutsideOfAFile() throws IOException {
    SyncAhead ahead = new SyncAhead(waiting::add, BATCH);
    ahead.beforeWrite(PAGES);
    ahead.beforeWrite(PAGES);
    ahead.begin(file());
    ahead.end();
    ahead.beforeWrite(PAGES);
    ahead.beforeWrite(PAGES);
    assertThat(waiting).isEmpty();
  }

  @Test
  void shouldReportAFailureOnceAndSyncNoMoreBefore() throws IOException {
    SyncAhead ahead = new SyncAhead(Runnable::run, BATCH);
    failing = 0;
    ahead.begin(file());
    ahead.beforeWrite(PAGES);
    ahead.beforeWrite(PAGES);
    ahead.beforeWrite(PAGES);
    assertThat(syncs).hasSize(1);
    assertThatThrownBy(ahead::end).hasMessageContaining("input/output error");
    ahead.begin(disk.open(directory.resolve("file")));
    ahead.end();
  }

  @Test
  void shouldLeaveTheSyncToTheDrainWithoutAThread() throws IOException {
    SyncAhead ahead =
        new SyncAhead(
            sync -> {
              throw new OutOfMemoryError("unable to create native thread");
            },
            BATCH);
    ahead.begin(file());
    ahead.beforeWrite(PAGES);
    ahead.beforeWrite(PAGES);
    ahead.end();
    assertThat(syncs).isEmpty();
  }

  private LogFile openLog() throws IOException {
    return LogFile.open(
        directory.resolve("log"), LAYOUT, Persistence.EMULATED, Durability.POWER_FAIL);
  }

  private LogEngine engine(LogFile log, Disk under, Path root) throws IOException {
    LogSettings settings =
        new LogSettings(
            List.of(root),
            directory.resolve("orphans"),
            true,
            50_000_000,
            Propagation.DEFERRED,
            BATCH);
    return new LogEngine(log, LAYOUT, under, settings, System::currentTimeMillis);
  }

  /** Pages that do not lie together, so that each is a write. */
  private String drain(Path path) throws IOException {
    try (LogFile log = openLog()) {
      LogEngine engine = engine(log, disk, path.getParent());
      LoggedFile file = engine.open(path, "file", false);
      for (int i = 0; i < PAGES; i++) {
        ByteBuffer[] page = {ByteBuffer.wrap(("page " + i).getBytes(StandardCharsets.UTF_8))};
        file.write(page, 0, 1, 2L * i * PageKeys.PAGE_BYTES);
      }
      assertThat(engine.drain()).isTrue();
      assertThat(engine.drainedSeq()).isEqualTo(PAGES);
      String loss = "";
      try {
        file.sync();
      } catch (IOException e) {
        loss = e.getMessage();
      }
      assertThat(engine.stats().repairs()).isEqualTo(failing < 0 ? 0 : 1);
      return loss;
    }
  }

  @Test
  void shouldSyncOnItsOwnThreadWhileTheDrainWrites() throws IOException {
    Path path = Files.createFile(Files.createDirectory(directory.resolve("root")).resolve("a"));
    assertThat(drain(path)).isEmpty();
    assertThat(syncs).hasSizeGreaterThan(1);
    assertThat(syncs.get(0)).isEqualTo("nvcache-write-log-sync");
    assertThat(syncs).last().isEqualTo(Thread.currentThread().getName());
  }

  /** The drain's own sync would succeed, for Linux takes the pages for clean by then. */
  @Test
  void shouldWriteABatchAgainOfWhichASyncAheadFailed() throws IOException {
    Path path = Files.createFile(Files.createDirectory(directory.resolve("root")).resolve("a"));
    failing = 0;
    assertThat(drain(path)).contains("past the log may be lost");
    assertThat(Files.readString(path)).contains("page 0", "page " + (PAGES - 1));
  }

  /** Of two syncs at a time, one may take the other's failure away. */
  @Test
  void shouldEndItsSyncBeforeARepairBegins() throws IOException {
    Path path = Files.createFile(Files.createDirectory(directory.resolve("root")).resolve("a"));
    SyncAhead ahead = new SyncAhead(SyncAhead.ownThread(), 8);
    AtomicBoolean syncs = new AtomicBoolean();
    ForwardingDisk slow =
        new ForwardingDisk(new PlatformDisk()) {
          @Override
          protected DiskFile wrap(Path at, DiskFile file) {
            return new ForwardingFile(file) {
              @Override
              public void forceData() throws IOException {
                syncs.set(true);
                LockSupport.parkNanos(50_000_000);
                syncs.set(false);
              }
            };
          }
        };
    ahead.begin(slow.open(path));
    ahead.beforeWrite(1);
    ahead.beforeWrite(1);
    ahead.end();
    assertThat(syncs).isFalse();
    int[] writes = {0};
    ForwardingDisk failing =
        new ForwardingDisk(slow) {
          @Override
          protected DiskFile wrap(Path at, DiskFile file) {
            return new ForwardingFile(file) {
              @Override
              public void write(ByteBuffer source, long position) throws IOException {
                if (++writes[0] == PAGES_OF_A_SYNC + 3) {
                  throw new IllegalStateException("no memory for it");
                }
                super.write(source, position);
              }
            };
          }
        };
    try (LogFile log = openLog()) {
      LogEngine engine = engine(log, failing, path.getParent());
      LoggedFile file = engine.open(path, "file", false);
      for (int i = 0; i < PAGES; i++) {
        file.write(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1, 2L * i * 4096);
      }
      assertThat(engine.drain()).isFalse();
      assertThat(syncs).isFalse();
    }
  }
}
