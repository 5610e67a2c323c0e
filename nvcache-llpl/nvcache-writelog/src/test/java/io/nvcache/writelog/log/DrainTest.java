// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.RecoveryReport;
import io.nvcache.writelog.crash.ForwardingDisk;
import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogMemory;
import io.nvcache.writelog.format.LogRegion;
import io.nvcache.writelog.format.Orphan;
import io.nvcache.writelog.mapped.LogFile;
import io.nvcache.writelog.recovery.LogContents;
import io.nvcache.writelog.recovery.Recovery;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A drain whose disk fails. */
class DrainTest {
  @TempDir Path directory;
  private Path root;
  private Path orphans;
  private LogFile log;
  private LogEngine engine;

  /** The name of a file that may not be written. */
  private String denied = "";

  /** The name of a file that can't be opened for a reason that only the system knows. */
  private String immutable = "";

  private String why = "Operation not permitted";

  /** How often a sync of a file of this name fails. */
  private String failing = "";

  private int failures;
  private int directorySyncs;
  private boolean orphansFail;
  private boolean writesFail;
  private boolean noMemory;
  private boolean memoryFails;
  private LongSupplier clock = System::currentTimeMillis;
  private int looks;

  /** What happens while the drain syncs a file. */
  private NameChanges.Change onSync = () -> {};

  /** What happens before a part of a record is read. */
  private NameChanges.Change onLaneRead = () -> {};

  /** Ranges that were written to files. */
  private final List<String> ranges = new ArrayList<>();

  private final class FailingDisk extends ForwardingDisk {
    FailingDisk() {
      super(new PlatformDisk());
    }

    @Override
    public DiskFile create(Path path, Path above, int mode) throws IOException {
      if (orphansFail) {
        throw new IOException("no space for orphans");
      }
      if (path.endsWith(immutable)) {
        throw new FileSystemException(path.toString(), null, why);
      }
      return super.create(path, above, mode);
    }

    @Override
    public DiskFile open(Path path) throws IOException {
      refuse(path);
      return super.open(path);
    }

    @Override
    public DiskFile openOwn(Path path) throws IOException {
      refuse(path);
      return super.openOwn(path);
    }

    private void refuse(Path path) throws IOException {
      if (path.endsWith(denied)) {
        throw new AccessDeniedException(path.toString());
      }
      if (path.endsWith(immutable)) {
        throw new FileSystemException(path.toString(), null, why);
      }
    }

    @Override
    public void syncDirectory(Path directory) throws IOException {
      directorySyncs++;
      super.syncDirectory(directory);
    }

    @Override
    protected DiskFile wrap(Path path, DiskFile file) {
      return new ForwardingFile(file) {
        @Override
        public void write(ByteBuffer source, long position) throws IOException {
          if (writesFail) {
            throw new IOException("no space left on device");
          }
          if (noMemory) {
            throw new OutOfMemoryError("direct buffer memory");
          }
          ranges.add(position + ".." + (position + source.remaining()));
          super.write(source, position);
        }

        @Override
        public void force() throws IOException {
          fail();
          super.force();
        }

        @Override
        public void forceData() throws IOException {
          onSync.run();
          fail();
          super.forceData();
        }

        private void fail() throws IOException {
          if (path.endsWith(failing) && failures > 0) {
            failures--;
            throw new IOException("input/output error");
          }
        }
      };
    }
  }

  @BeforeEach
  void open() throws IOException {
    root = Files.createDirectory(directory.toRealPath().resolve("root"));
    orphans = directory.toRealPath().resolve("orphans");
    LogLayout layout = new LogLayout(1, 1 << 20, 16, 1, 0);
    log =
        LogFile.open(directory.resolve("log"), layout, Persistence.EMULATED, Durability.POWER_FAIL);
    engine = engine(Propagation.ON_WRITE);
  }

  private LogEngine engine(Propagation propagation) throws IOException {
    LogSettings settings =
        new LogSettings(List.of(root), orphans, true, 50_000_000, propagation, 100);
    LogMemory memory =
        new LogMemory() {
          @Override
          public LogRegion head() {
            return observed(log.head());
          }

          @Override
          public LogRegion lane(int index) {
            return observed(log.lane(index));
          }

          @Override
          public void close() {
            log.close();
          }
        };
    return new LogEngine(
        memory, log.layout(), new FailingDisk(), settings, () -> clock.getAsLong());
  }

  private LogRegion observed(LogRegion region) {
    return (LogRegion)
        Proxy.newProxyInstance(
            LogRegion.class.getClassLoader(),
            new Class<?>[] {LogRegion.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getLong") && region != log.head()) {
                onLaneRead.run();
              }
              if (method.getName().equals("persist") && memoryFails) {
                throw new IOException("the log's own input/output error");
              }
              return method.invoke(region, arguments);
            });
  }

  private static String read(LoggedFile file, Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path)) {
      ByteBuffer target = ByteBuffer.allocate(1000);
      int n = file.read(target, 0, channel::read);
      return new String(target.array(), 0, Math.max(0, n), StandardCharsets.UTF_8);
    }
  }

  @Test
  void shouldFailAWriteWhoseRecordIsNotDurable() throws IOException {
    Path path = Files.createFile(root.resolve("a"));
    LoggedFile file = engine.open(path, "a", false);
    write(file, "old");
    memoryFails = true;
    assertThatThrownBy(() -> write(file, "lost"))
        .isInstanceOf(IOException.class)
        .hasMessage("the log's own input/output error");
    memoryFails = false;
    write(file, "new");
    assertThat(engine.drain()).isTrue();
    assertThat(path).hasContent("oldnew");
  }

  @Test
  void shouldDrainOnceItsMemoryCanBeWritten() throws IOException {
    Path path = Files.createFile(root.resolve("a"));
    LoggedFile file = engine.open(path, "a", false);
    write(file, "old");
    clock = () -> System.currentTimeMillis() + 1000L * looks++; // So that a sign of life is due.
    memoryFails = true;
    assertThat(engine.drain()).isFalse();
    assertThat(engine.stats().drainFailures()).isEqualTo(1);
    memoryFails = false;
    assertThat(engine.drain()).isTrue();
    assertThat(engine.drainedSeq()).isEqualTo(engine.lastSeq());
  }

  /** So a recovery makes none, and takes a missing one for deleted. */
  @Test
  void shouldMakeANameDurableBeforeTheFirstRecord() throws IOException {
    LoggedFile file = open("a");
    assertThat(directorySyncs).isZero();
    write(file, "one");
    assertThat(directorySyncs).isEqualTo(1);
    write(file, "two");
    file.force();
    assertThat(directorySyncs).isEqualTo(1);
    assertThat(engine.stats().absorbedForces()).isEqualTo(1);
  }

  @Test
  void shouldMakeTheNameOfAnEmptyFileDurableIfAsked() throws IOException {
    open("a").force();
    assertThat(directorySyncs).isEqualTo(1);
    assertThat(engine.stats().absorbedForces()).isZero();
  }

  /** The system's write needs direct memory for a buffer of the heap. */
  @Test
  void shouldMakeARecordVoidWhoseWriteFoundNoMemory() throws IOException {
    LoggedFile file = open("a");
    write(file, "one");
    noMemory = true;
    assertThatThrownBy(() -> write(file, " refused")).isInstanceOf(OutOfMemoryError.class);
    noMemory = false;
    write(file, " two");
    assertThat(engine.stats().failedWrites()).isEqualTo(1);
    Files.writeString(root.resolve("a"), "");
    new Recovery(log, log.layout(), new FailingDisk(), engine.settings(), System::currentTimeMillis)
        .run(true);
    assertThat(root.resolve("a")).hasContent("one two");
  }

  /** A scan of its lane would end at it. */
  @Test
  void shouldLogNoWriteThatEndsBehindTheLargestPlace() throws IOException {
    LoggedFile file = open("a");
    write(file, "one");
    ByteBuffer[] far = {ByteBuffer.wrap(new byte[10])};
    assertThatThrownBy(() -> file.write(far, 0, 1, Long.MAX_VALUE - 3))
        .isInstanceOf(IOException.class);
    write(file, " two");
    Files.writeString(root.resolve("a"), "");
    new Recovery(log, log.layout(), new FailingDisk(), engine.settings(), System::currentTimeMillis)
        .run(true);
    assertThat(root.resolve("a")).hasContent("one two");
  }

  @Test
  void shouldShowAFailureOfTheDrainThatTheDiskDoesNotKnow() throws IOException {
    engine = engine(Propagation.DEFERRED);
    write(open("a"), "one");
    noMemory = true;
    assertThat(engine.drain()).isFalse();
    assertThat(engine.drainFailure()).isInstanceOf(OutOfMemoryError.class);
    noMemory = false;
    assertThat(engine.drain()).isTrue();
    assertThat(root.resolve("a")).hasContent("one");
  }

  /** The disk may still have what a lost cut cut off. */
  @Test
  void shouldWriteTheGapBehindACutAgain() throws IOException {
    engine = engine(Propagation.DEFERRED);
    LoggedFile file = open("a");
    write(file, "0123456789");
    engine.drainTo(engine.lastSeq());
    file.truncate(3);
    file.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[] {'x'})}, 0, 1, 6);
    ranges.clear();
    new Recovery(log, log.layout(), new FailingDisk(), engine.settings(), System::currentTimeMillis)
        .run(false);
    assertThat(ranges).containsExactly("3..6", "6..7");
    assertThat(root.resolve("a")).hasContent("012\0\0\0x");
  }

  @Test
  void shouldWriteDeferredBytesAgainThatTheDiskRefused() throws IOException {
    engine = engine(Propagation.DEFERRED);
    LoggedFile file = open("a");
    write(file, "acknowledged");
    assertThat(root.resolve("a")).isEmptyFile();
    assertThat(read(file, root.resolve("a"))).isEqualTo("acknowledged");
    writesFail = true;
    failures = 1; // The repair's sync, so that nothing but the log has the bytes.
    failing = "a";
    orphansFail = true;
    assertThat(engine.drain()).isFalse();
    assertThat(read(file, root.resolve("a"))).isEqualTo("acknowledged");
    writesFail = false;
    failures = 0;
    assertThat(engine.drain()).isTrue();
    assertThat(root.resolve("a")).hasContent("acknowledged");
    assertThat(engine.stats().repairs()).isEqualTo(1);
    assertThat(engine.stats().pendingPages()).isZero();
  }

  @Test
  void shouldNotShowOldBytesOfASickFile() throws IOException {
    engine = engine(Propagation.DEFERRED);
    LoggedFile file = open("a");
    LoggedFile other = open("b");
    write(file, "acknowledged");
    write(other, "x");
    failing = "a";
    failures = 1000;
    assertThat(engine.drain()).isTrue();
    assertThatThrownBy(() -> read(file, root.resolve("a"))).hasMessageContaining("12 bytes");
    assertThat(read(other, root.resolve("b"))).isEqualTo("x");
    assertThat(root.resolve("b")).hasContent("x");
  }

  @Test
  void shouldPublishNoOldBytesOfASickFile() throws IOException {
    engine = engine(Propagation.DEFERRED);
    LoggedFile file = open("a");
    write(file, "acknowledged");
    failing = "a";
    failures = 1000;
    assertThat(engine.drain()).isTrue();
    assertThat(engine.lastSeq()).isEqualTo(engine.drainedSeq());
    assertThat(engine.isBehind()).isTrue();
    assertThatThrownBy(file::publish).hasMessageContaining("12 bytes");
    assertThatThrownBy(() -> file.length(() -> 0)).hasMessageContaining("12 bytes");
  }

  @Test
  void shouldTakeDeferredWritesInBatches() throws IOException {
    engine = engine(Propagation.DEFERRED);
    LoggedFile file = open("a");
    for (int i = 0; i < 250; i++) {
      write(file, "1234567");
    }
    assertThat(engine.drain()).isTrue();
    assertThat(engine.drainedSeq()).isEqualTo(100);
    assertThat(Files.size(root.resolve("a"))).isEqualTo(700);
    engine.drainPending();
    assertThat(engine.drainedSeq()).isEqualTo(250);
    assertThat(root.resolve("a")).hasContent("1234567".repeat(250));
    assertThat(engine.stats().pendingPages()).isZero();
  }

  /** A drain may come between what the file system says and what the log does. */
  @Test
  void shouldNotAskTheFileForItsLengthBeforeItHasAll() throws IOException {
    engine = engine(Propagation.DEFERRED);
    LoggedFile file = open("a");
    write(file, "one");
    assertThat(file.length(() -> fail("it lacks a write"))).isEqualTo(3);
    engine.drainPending();
    assertThat(file.length(() -> Files.size(root.resolve("a")))).isEqualTo(3);
  }

  /** Each read of the log's memory is a place where another thread may ask. */
  @Test
  void shouldNotShowTheLengthOfADeferredWriteBeforeItsBytes() throws IOException {
    engine = engine(Propagation.DEFERRED);
    LoggedFile file = open("a");
    write(file, "one");
    List<Long> seen = new ArrayList<>();
    // Of the page's record so far, while the pages take the new one up.
    onLaneRead = () -> seen.add(file.length(() -> fail("it lacks a write")));
    write(file, " two");
    onLaneRead = () -> {};
    assertThat(seen).isNotEmpty().containsOnly(3L);
    assertThat(read(file, root.resolve("a"))).isEqualTo("one two");
  }

  @Test
  void shouldCutWhatIsDeferred() throws IOException {
    engine = engine(Propagation.DEFERRED);
    LoggedFile file = open("a");
    write(file, "one two");
    file.truncate(3);
    write(file, " three");
    assertThat(file.length(() -> Files.size(root.resolve("a")))).isEqualTo(9);
    assertThat(read(file, root.resolve("a"))).isEqualTo("one three");
    engine.drainPending();
    assertThat(root.resolve("a")).hasContent("one three");
  }

  @AfterEach
  void close() {
    log.close();
  }

  private LoggedFile open(String name) throws IOException {
    Path path = Files.createFile(root.resolve(name));
    return engine.open(path, name, true);
  }

  private static void write(LoggedFile file, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    file.write(new ByteBuffer[] {bytes}, 0, 1, -1);
  }

  @Test
  void shouldWriteAFileAgainWhoseSyncFailed() throws IOException {
    LoggedFile file = open("a");
    write(file, "one");
    write(file, " two");
    // What Linux may do to pages whose sync failed.
    Files.write(root.resolve("a"), new byte[7]);
    failing = "a";
    failures = 1;
    assertThat(engine.drain()).isTrue();
    assertThat(root.resolve("a")).hasContent("one two");
    assertThat(engine.stats().repairs()).isEqualTo(1);
    assertThat(engine.drainedSeq()).isEqualTo(2);
    write(file, " three");
    assertThat(file.sickness()).isNull();
  }

  @Test
  void shouldSaveWhatASickFileHadAndServeTheOthers() throws IOException {
    LoggedFile sick = open("a");
    LoggedFile other = open("b");
    write(sick, "acknowledged");
    write(other, "x");
    failing = "a";
    failures = 2;
    assertThat(engine.drain()).isTrue();
    assertThat(sick.sickness()).contains("12 bytes", orphans.toString());
    assertThatThrownBy(() -> write(sick, "y")).isInstanceOf(IOException.class);
    assertThatThrownBy(sick::force).isInstanceOf(IOException.class);
    write(other, "y");
    assertThat(engine.drain()).isTrue();
    assertThat(root.resolve("b")).hasContent("xy");
    try (Stream<Path> saved = Files.list(orphans)) {
      Path orphan = saved.findFirst().orElseThrow();
      assertThat(Orphan.target(orphan)).isEqualTo(root.resolve("a").toString());
      Path copy = directory.resolve("copy");
      assertThat(Orphan.apply(orphan, copy)).isEqualTo(12);
      assertThat(copy).hasContent("acknowledged");
    }
  }

  @Test
  void shouldKeepInTheLogWhatCanBeSavedNowhere() throws IOException {
    LoggedFile file = open("a");
    write(file, "acknowledged");
    failing = "a";
    failures = Integer.MAX_VALUE;
    orphansFail = true;
    assertThat(engine.drain()).isFalse();
    assertThat(engine.drainFailure()).hasMessageContaining("orphans");
    assertThat(engine.drainedSeq()).isZero();
    int before = failures;
    assertThatThrownBy(() -> engine.drainTo(1)).hasMessageContaining("could not be drained");
    // It rests between two tries: 50 of a millisecond each at most.
    assertThat(before - failures).isLessThanOrEqualTo(60);
    byte[] much = new byte[200_000];
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10; i++) {
                file.write(new ByteBuffer[] {ByteBuffer.wrap(much)}, 0, 1, 0);
              }
            })
        .isInstanceOf(IOException.class)
        .hasMessageContaining("the write log is full");
    failures = 0;
    assertThat(engine.drain()).isTrue();
    assertThat(file.sickness()).isNull();
  }

  /** The log has room for three records of such a write, and a short one. */
  @Test
  void shouldNotOverwriteWhatOthersAppendWhileALongAppendWaits() throws IOException {
    LoggedFile file = open("a");
    byte[] record = new byte[log.layout().maxPayloadBytes()];
    byte[] bytes = new byte[5 * record.length];
    Arrays.fill(bytes, (byte) 'l');
    onSync =
        () -> {
          onSync = () -> {};
          write(file, "short");
        };
    file.write(new ByteBuffer[] {ByteBuffer.wrap(bytes)}, 0, 1, -1);
    String text = Files.readString(root.resolve("a"));
    assertThat(text).hasSize(bytes.length + 5).contains("short");
  }

  /** Who changes names, or cuts, drains while it holds the files that the drain then repairs. */
  @Test
  void shouldRepairAFileThatTheDrainingThreadHolds() throws IOException {
    write(open("a"), "one");
    write(open("b"), "two");
    failing = "a";
    failures = 1;
    Path b = root.resolve("b");
    NameChanges.move(
        engine,
        root.resolve("a"),
        b,
        () -> "b",
        () -> Files.move(root.resolve("a"), b, REPLACE_EXISTING));
    assertThat(b).hasContent("one");
    assertThat(engine.stats().repairs()).isEqualTo(1);
    engine = engine(Propagation.DEFERRED);
    LoggedFile cut = open("c");
    write(cut, "three");
    failing = "c";
    failures = 1;
    cut.truncate(2);
    assertThat(root.resolve("c")).hasContent("th");
  }

  /** Writes two files by the log, of which the second has lost its bytes on the disk. */
  private void writeAAndLoseB() throws IOException {
    write(open("a"), "of a");
    write(open("b"), "of b");
    Files.write(root.resolve("b"), new byte[0]);
  }

  @Test
  void shouldRecoverTheOthersBesideAFileThatMayNotBeWritten() throws IOException {
    writeAAndLoseB();
    denied = "a";
    assertThat(recovery().plan().orphans()).containsExactly(root.resolve("a").toString());
    RecoveryReport report = recovery().run(false);
    assertThat(root.resolve("b")).hasContent("of b");
    assertThat(report.orphans()).hasSize(1);
    assertThat(report.files()).isEqualTo(1);
    assertThat(Orphan.target(Path.of(report.orphans().get(0))))
        .isEqualTo(root.resolve("a").toString());
  }

  /** As a disk that was mounted read-only after a fault, or is full: it will be mended. */
  @Test
  void shouldKeepAllInTheLogWhereTheDiskIsAtFault() throws IOException {
    write(open("a"), "of a");
    immutable = "a";
    why = "Read-only file system";
    assertThatThrownBy(() -> recovery().run(false)).hasMessageContaining(why);
    immutable = "";
    Files.write(root.resolve("a"), new byte[0]);
    assertThat(recovery().run(false).records()).isEqualTo(1);
    assertThat(root.resolve("a")).hasContent("of a");
  }

  /** As of a file that may only be appended to. */
  @Test
  void shouldRecoverTheOthersBesideAFileThatCanNotBeOpened() throws IOException {
    writeAAndLoseB();
    immutable = "a";
    RecoveryReport report = recovery().run(false);
    assertThat(root.resolve("b")).hasContent("of b");
    assertThat(report.orphans()).hasSize(1);
  }

  /** It waited for room, when another thread closed its channel. */
  @Test
  void shouldGiveNoSlotToAWriterWhoseFileWasClosed() throws IOException {
    LoggedFile file = open("a");
    file.uses().release();
    int free = engine.openFiles().freeSlots();
    assertThatThrownBy(() -> write(file, "late")).isInstanceOf(ClosedChannelException.class);
    assertThat(engine.openFiles().freeSlots()).isEqualTo(free);
  }

  @Test
  void shouldNotCloseAFileWhileAWriterHoldsIt() throws IOException {
    LoggedFile file = open("a");
    file.lock();
    try {
      file.uses().release();
      assertThat(engine.files()).contains(file);
    } finally {
      file.unlock();
    }
    engine.drain();
    assertThat(engine.files()).doesNotContain(file);
  }

  /** Records of it are left, which name its slot: they would be carried to the next file. */
  @Test
  void shouldKeepTheSlotOfASickFileThatIsRenamed() throws IOException {
    engine = engine(Propagation.DEFERRED);
    LoggedFile sick = open("a");
    for (int i = 0; i < 250; i++) {
      write(sick, "1234567");
    }
    failing = "a";
    failures = 1000;
    assertThat(engine.drain()).isTrue();
    assertThat(sick.sickness()).isNotNull();
    long id = sick.id();
    Path from = root.resolve("a");
    Path to = root.resolve("quarantined");
    NameChanges.move(engine, from, to, () -> null, () -> Files.move(from, to));
    assertThat(sick.id()).isEqualTo(id);
    assertThatThrownBy(() -> read(sick, to)).hasMessageContaining("can't be written any more");
    LoggedFile other = open("b");
    write(other, "x");
    assertThat(FileTable.slotOf(other.id())).isNotEqualTo(FileTable.slotOf(id));
    engine.drainPending();
    assertThat(root.resolve("b")).hasContent("x");
  }

  /** The system takes the pages for clean after the sync that failed: the next one succeeds. */
  @Test
  void shouldReportOnceThatASyncLostBytesOfOthers() throws IOException {
    Path path = Files.createFile(root.resolve("a"));
    LoggedFile file = engine.open(path, "a", false);
    Files.writeString(path, "past the log");
    write(file, ", and by it");
    failing = "a";
    failures = 1;
    assertThat(engine.drain()).isTrue();
    assertThat(engine.stats().repairs()).isEqualTo(1);
    assertThatThrownBy(file::force).hasMessageContaining("past the log may be lost");
    file.force();
  }

  @Test
  void shouldReportALossToWhoOpensTheFileNext() throws IOException {
    Path path = Files.createFile(root.resolve("a"));
    LoggedFile file = engine.open(path, "a", false);
    Files.writeString(path, "past the log");
    write(file, ", and by it");
    file.uses().release();
    failing = "a";
    failures = 1;
    assertThat(engine.drain()).isTrue();
    assertThat(engine.openFiles().freeSlots()).isEqualTo(16);
    LoggedFile again = engine.open(path, "a", false);
    assertThatThrownBy(again::force).hasMessageContaining("past the log may be lost");
    again.force();
    again.uses().release();
    assertThat(engine.files()).isEmpty();
  }

  @Test
  void shouldNotReportALossOfBytesThatTheLogHas() throws IOException {
    LoggedFile file = open("a");
    write(file, "by the log");
    failing = "a";
    failures = 1;
    assertThat(engine.drain()).isTrue();
    file.force();
    file.sync();
    assertThat(engine.stats().repairs()).isEqualTo(1);
  }

  @Test
  void shouldNotLetGoOfTheLogWhileASyncHangs() throws Exception {
    LoggedFile file = open("a");
    write(file, "one");
    CountDownLatch hangs = new CountDownLatch(1);
    CountDownLatch ends = new CountDownLatch(1);
    onSync =
        () -> {
          hangs.countDown();
          awaitUninterruptibly(ends);
        };
    Thread round = new Thread(() -> engine.drain());
    round.start();
    hangs.await();
    assertThatThrownBy(engine::close).hasMessageContaining("could not be drained");
    assertThat(engine.hasLetGo()).isFalse();
    long drained = log.head().getLong(LogLayout.DRAINED_SEQ);
    ends.countDown();
    round.join();
    assertThat(engine.hasLetGo()).isTrue();
    assertThat(log.head().getLong(LogLayout.DRAINED_SEQ)).isEqualTo(drained);
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void shouldReadADrainedFileOfALogThatIsClosed() throws IOException {
    engine = engine(Propagation.DEFERRED);
    LoggedFile file = open("a");
    write(file, "one");
    engine.close();
    assertThat(read(file, root.resolve("a"))).isEqualTo("one");
  }

  private Recovery recovery() {
    return new Recovery(
        log, log.layout(), new FailingDisk(), engine.settings(), System::currentTimeMillis);
  }

  /** By another program, or by {@code java.io}. */
  @Test
  void shouldGoOnWithoutADirectoryThatVanished() throws IOException {
    Path below = Files.createDirectory(root.resolve("sub"));
    LoggedFile gone = open("sub/a");
    LoggedFile other = open("b");
    write(gone, "of no name");
    write(other, "kept");
    Files.delete(below.resolve("a"));
    Files.delete(below);
    assertThat(engine.drain()).isTrue();
    assertThat(engine.drainedSeq()).isEqualTo(2);
    assertThat(root.resolve("b")).hasContent("kept");
    write(gone, "more");
    gone.force();
    assertThat(engine.lastSeq()).as("a file without a name leaves the log").isEqualTo(2);
    assertThat(gone.sickness()).isNull();
  }

  @Test
  void shouldNotReplayAWriteThatTheDiskRefused() throws IOException {
    LoggedFile file = open("a");
    write(file, "good");
    writesFail = true;
    assertThatThrownBy(() -> write(file, "refused")).hasMessageContaining("no space left");
    assertThat(engine.stats().failedWrites()).isEqualTo(1);
    writesFail = false;
    assertThat(LogContents.read(log, log.layout()).records()).isEqualTo(1);
    new Recovery(
            log, log.layout(), new PlatformDisk(), engine.settings(), System::currentTimeMillis)
        .run(false);
    assertThat(root.resolve("a")).hasContent("good");
  }
}
