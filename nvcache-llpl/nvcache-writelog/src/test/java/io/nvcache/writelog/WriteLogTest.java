// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import io.nvcache.medium.Durability;
import io.nvcache.writelog.format.Orphan;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WriteLogTest {
  /** Where a log says in which run of the system the page cache has all. */
  private static final int RUN = 8192 + 8;

  @TempDir Path directory;
  private Path root;
  private Path log;

  @BeforeEach
  void make() throws IOException {
    root = Files.createDirectory(directory.toRealPath().resolve("root"));
    log = directory.toRealPath().resolve("log");
  }

  final Path root() {
    return root;
  }

  final Path log() {
    return log;
  }

  /** Begins a log, or opens one that is there. */
  WriteLogBuilder builder(Path path) {
    return WriteLog.builder(path)
        .root(root)
        .capacityBytes(1 << 20)
        .lanes(2)
        .fileSlots(16)
        .persistence(Persistence.EMULATED);
  }

  private WriteLogBuilder builder() {
    return builder(log);
  }

  /** Returns whether the log outlives a loss of power, or plays that it does. */
  boolean absorbsForce() {
    return true;
  }

  private static ByteBuffer[] bytes(String text) {
    return new ByteBuffer[] {ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8))};
  }

  private static LoggedFile open(WriteLog log, Path path) throws IOException {
    boolean created = !Files.exists(path);
    if (created) {
      Files.createFile(path);
    }
    LogEngine engine = log.engine();
    engine.names().lock();
    try {
      Object key =
          Files.readAttributes(path, java.nio.file.attribute.BasicFileAttributes.class).fileKey();
      return engine.open(path, key, created);
    } finally {
      engine.names().unlock();
    }
  }

  /** What a log holds when its process is killed. */
  private Path crashCopy(WriteLog open) throws IOException {
    Path copy = directory.resolve("copy");
    Files.copy(open.path(), copy);
    Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
    return copy;
  }

  @Test
  void shouldWriteThroughAndDrain() throws IOException {
    Path path = root.resolve("a");
    try (WriteLog open = builder().open()) {
      LoggedFile file = open(open, path);
      file.write(bytes("hello"), 0, 1, 0);
      file.write(bytes(", world"), 0, 1, -1);
      assertThat(path).hasContent("hello, world");
      file.truncate(5);
      assertThat(path).hasContent("hello");
      file.force();
      assertThat(open.stats().absorbedForces()).isEqualTo(absorbsForce() ? 1 : 0);
      assertThat(open.stats().records()).isEqualTo(3);
      open.drain();
      assertThat(open.stats().pendingRecords()).isZero();
      assertThat(open.stats().pendingBytes()).isZero();
    }
    try (WriteLog again = builder().open()) {
      assertThat(again.recovery().isEmpty()).isTrue();
    }
  }

  @Test
  void shouldReplayWhatTheDiskLost() throws IOException {
    Path path = root.resolve("a");
    try (WriteLog open = builder().open()) {
      LoggedFile file = open(open, path);
      open.engine().names().lock(); // The drain closes no file meanwhile.
      FileTime before = Files.getLastModifiedTime(path);
      Path copy;
      long seq = open.engine().lastSeq();
      do {
        file.write(bytes("acknowledged"), 0, 1, 0);
        Files.deleteIfExists(directory.resolve("copy"));
        copy = crashCopy(open);
      } while (open.engine().drainedSeq() > seq && (seq = open.engine().lastSeq()) > 0);
      open.engine().names().unlock();
      open.drain();
      Files.write(path, new byte[0]);
      Files.setLastModifiedTime(path, before);
      try (WriteLog recovered = builder(copy).open()) {
        assertThat(recovered.recovery().records()).isPositive();
        assertThat(recovered.recovery().files()).isEqualTo(1);
        assertThat(path).hasContent("acknowledged");
      }
      assertThat(WriteLog.builder(copy).root(root).plan().isEmpty()).isTrue();
    }
  }

  @Test
  void shouldNotBringBackWhatTheProgramDeleted() throws IOException {
    Path path = Files.createDirectory(root.resolve("sub")).resolve("a");
    Path copy = pendingCopy(path);
    Files.delete(path);
    Files.delete(path.getParent());
    try (WriteLog recovered = builder(copy).open()) {
      assertThat(recovered.recovery().deleted()).isEqualTo(1);
      assertThat(recovered.recovery().orphans()).isEmpty();
      assertThat(path).doesNotExist();
    }
  }

  @Test
  void shouldFindAFileByItsNewName() throws IOException {
    Path path = root.resolve("a");
    Path copy = pendingCopy(path);
    Path kept = Files.move(path, Files.createDirectory(root.resolve("sub")).resolve("kept"));
    FileTime before = Files.getLastModifiedTime(kept);
    Files.write(kept, new byte[0]); // What a loss of power leaves.
    Files.setLastModifiedTime(kept, before);
    Files.writeString(path, "another file");
    try (WriteLog recovered = builder(copy).open()) {
      assertThat(recovered.recovery().renamed()).isEqualTo(1);
      assertThat(recovered.recovery().orphans()).isEmpty();
    }
    assertThat(path).hasContent("another file");
    assertThat(kept).hasContent("acknowledged");
  }

  @Test
  void shouldSaveWhatHasNoPlace() throws IOException {
    Path path = root.resolve("a");
    Path copy = pendingCopy(path);
    Files.delete(path);
    Files.writeString(path, "another file");
    beginAnotherRun(copy);
    RecoveryReport report;
    try (WriteLog recovered = builder(copy).open()) {
      report = recovered.recovery();
    }
    assertThat(path).hasContent("another file");
    assertThat(report.orphans()).hasSize(1);
    Path orphan = Path.of(report.orphans().get(0));
    assertThat(Orphan.target(orphan)).isEqualTo(path.toString());
    Path saved = directory.resolve("saved");
    assertThat(Orphan.apply(orphan, saved)).isEqualTo("acknowledged".length());
    assertThat(saved).hasContent("acknowledged");
  }

  /** As a restart of the system does. */
  private static void beginAnotherRun(Path log) throws IOException {
    try (FileChannel channel = FileChannel.open(log, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), RUN);
    }
  }

  @Test
  void shouldNotWriteOutsideOfItsRoots() throws IOException {
    Path path = root.resolve("a");
    Path copy = pendingCopy(path);
    Files.write(path, new byte[0]);
    Path other = Files.createDirectory(directory.resolve("other"));
    try (WriteLog recovered =
        WriteLog.builder(copy).root(other).persistence(Persistence.EMULATED).open()) {
      assertThat(recovered.recovery().orphans()).hasSize(1);
    }
    assertThat(path).isEmptyFile();
  }

  /** As where its disk is not mounted: the files are as whole as they were. */
  @Test
  void shouldKeepWhatItHasWhileARootIsMissing() throws IOException {
    Path path = root.resolve("a");
    Path copy = pendingCopy(path);
    FileTime before = Files.getLastModifiedTime(path);
    Files.write(path, new byte[0]); // What a loss of power leaves.
    Files.setLastModifiedTime(path, before);
    Path away = Files.move(root, root.resolveSibling("away"));
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> builder(copy).open())
          .isInstanceOf(IOException.class)
          .hasMessageContainingAll(root.toString(), "mount it");
    }
    Files.move(away, root);
    try (WriteLog recovered = builder(copy).open()) {
      assertThat(recovered.recovery().orphans()).isEmpty();
    }
    assertThat(path).hasContent("acknowledged");
  }

  @Test
  void shouldSaveWhatWasInARootThatIsGone() throws IOException {
    Path copy = pendingCopy(root.resolve("a"));
    Files.move(root, root.resolveSibling("away"));
    try (WriteLog recovered = builder(copy).modifiedFiles(ModifiedFiles.OVERWRITE).open()) {
      assertThat(recovered.recovery().orphans()).hasSize(1);
    }
  }

  @Test
  void shouldRefuseToUndoWhatWasWrittenWithoutTheLog() throws IOException {
    Path path = root.resolve("a");
    Path copy = pendingCopy(path);
    Files.writeString(path, "newer");
    Files.setLastModifiedTime(path, FileTime.fromMillis(System.currentTimeMillis() + 60_000));
    WriteLogBuilder builder = builder(copy);
    assertThat(builder.plan().modified()).containsExactly(path.toString());
    assertThatThrownBy(builder::open)
        .isInstanceOf(IOException.class)
        .hasMessageContaining(path.toString())
        .hasMessageContaining("modified after");
    assertThat(path).hasContent("newer");
    builder.modifiedFiles(ModifiedFiles.OVERWRITE).open().close();
    assertThat(path).content().startsWith("acknowledged".substring(0, 5));
  }

  /** Returns a log that holds one write to a file that was created. */
  private Path pendingCopy(Path path) throws IOException {
    try (WriteLog open = builder().open()) {
      for (int i = 0; ; i++) {
        Path fresh = i == 0 ? path : root.resolve("try" + i);
        Files.deleteIfExists(path);
        LoggedFile file = open(open, path);
        assertThat(fresh).isNotNull();
        file.write(bytes("acknowledged"), 0, 1, 0);
        Path copy = crashCopy(open);
        if (open.engine().drainedSeq() == open.engine().lastSeq() - 1) {
          return copy; // No drain came between.
        }
        Files.delete(copy);
        open.drain();
      }
    }
  }

  @Test
  void shouldWaitForRoom() throws Exception {
    Path path = root.resolve("a");
    byte[] block = new byte[60_000];
    new Random(3).nextBytes(block);
    try (WriteLog open = builder().open()) {
      LoggedFile file = open(open, path);
      for (int i = 0; i < 100; i++) {
        file.write(new ByteBuffer[] {ByteBuffer.wrap(block)}, 0, 1, (long) i * block.length);
      }
      assertThat(open.stats().bytes()).isEqualTo(100L * block.length);
    }
    byte[] written = Files.readAllBytes(path);
    assertThat(written).hasSize(100 * block.length).startsWith(block).endsWith(block);
  }

  @Test
  void shouldSplitAWriteThatIsLongerThanARecord() throws IOException {
    Path path = root.resolve("a");
    byte[] bytes = new byte[1_300_000];
    new Random(5).nextBytes(bytes);
    try (WriteLog open = builder().open()) {
      ByteBuffer[] parts = {
        ByteBuffer.wrap(bytes, 0, 300_001), ByteBuffer.wrap(bytes, 300_001, 999_999)
      };
      assertThat(open(open, path).write(parts, 0, 2, -1)).isZero();
      assertThat(parts[0].hasRemaining()).isFalse();
      assertThat(parts[1].hasRemaining()).isFalse();
      assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    }
  }

  @Test
  void shouldBringForceToTheDiskBelowPowerFail() throws IOException {
    try (WriteLog open =
        builder().persistence(Persistence.PAGE_CACHE).require(Durability.PROCESS_CRASH).open()) {
      LoggedFile file = open(open, root.resolve("a"));
      file.write(bytes("x"), 0, 1, 0);
      file.force();
      assertThat(open.stats().absorbedForces()).isZero();
      assertThat(open.stats().forces()).isEqualTo(1);
    }
  }

  @Test
  void shouldRefuseALogThatPromisesLessThanIsAsked() {
    assertThatThrownBy(
            () ->
                builder().persistence(Persistence.PAGE_CACHE).require(Durability.POWER_FAIL).open())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("PROCESS_CRASH")
        .hasMessageContaining("POWER_FAIL");
    assertThat(log).doesNotExist();
  }

  @Test
  void shouldRefuseASyncMappingWithoutPersistentMemory() throws IOException {
    String type = Files.getFileStore(directory).type();
    assumeTrue(type.equals("tmpfs") || type.startsWith("ext"));
    assertThatThrownBy(() -> builder().persistence(Persistence.SYNC_MAPPING).open())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("dax");
  }

  @Test
  void shouldRefuseALogThatIsOpenOrForeign() throws IOException {
    try (WriteLog open = builder().open()) {
      assertThatThrownBy(() -> builder().open()).hasMessageContaining("has it open");
      assertThat(open.grade())
          .isEqualTo(absorbsForce() ? Durability.POWER_FAIL : Durability.PROCESS_CRASH);
    }
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-r--r--"));
    assertThatThrownBy(() -> builder().open()).hasMessageContaining("0600");
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(log, "x".repeat(20_000));
    assertThatThrownBy(() -> builder().open()).hasMessageContaining("not a write log");
  }

  /** A crash while a log is made leaves zeros. */
  @Test
  void shouldMakeALogAnewThatWasNotMadeToItsEnd() throws IOException {
    Files.write(log, new byte[20_000]);
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-------"));
    try (WriteLog open = builder().open()) {
      assertThat(open.recovery().isEmpty()).isTrue();
    }
    try (WriteLog again = builder().open()) {
      assertThat(again.recovery().isEmpty()).isTrue();
    }
  }

  private boolean isLocked() throws IOException {
    Object inode = Files.getAttribute(log, "unix:ino");
    try (Stream<String> locks = Files.lines(Path.of("/proc/locks"))) {
      return locks.anyMatch(lock -> lock.contains("POSIX") && lock.contains(":" + inode + " "));
    }
  }

  /** POSIX ends all locks of a process on a file with any descriptor of it. */
  @Test
  void shouldKeepItsLockWhateverTheSameProcessDoes() throws IOException {
    try (WriteLog open = builder().open()) {
      assumeTrue(isLocked(), "the system shows its locks");
      assertThat(LogInspection.of(log).inUse()).isTrue();
      assertThat(isLocked()).isTrue();
      LogInspection.export(log, directory.resolve("exported"));
      assertThat(isLocked()).isTrue();
      assertThatThrownBy(() -> builder().open()).hasMessageContaining("has it open");
      assertThat(isLocked()).isTrue();
      assertThatThrownBy(() -> LogInspection.wipe(log)).hasMessageContaining("has it open");
      assertThat(isLocked()).isTrue();
      assertThat(open.path()).isEqualTo(log);
    }
    assertThat(isLocked()).isFalse();
    assertThat(LogInspection.of(log).inUse()).isFalse();
    LogInspection.wipe(log);
    assertThat(log).doesNotExist();
  }

  @Test
  void shouldRefuseALogThatThisProgramLooksAt() throws IOException {
    builder().open().close();
    try (LogFile seen = LogFile.look(log)) {
      assertThat(seen.layout().lanes()).isEqualTo(2);
      assertThatThrownBy(() -> builder().open()).hasMessageContaining("an inspection");
      assertThatThrownBy(() -> LogInspection.wipe(log)).hasMessageContaining("an inspection");
    }
    builder().open().close();
  }

  @Test
  void shouldLeaveNoFileOfALogThatItRefuses() {
    WriteLogBuilder builder = builder().persistence(Persistence.PAGE_CACHE);
    assertThatThrownBy(() -> builder.require(Durability.POWER_FAIL).open())
        .hasMessageContaining("POWER_FAIL is asked for");
    assertThat(log).doesNotExist();
  }

  @Test
  void shouldRefuseALogInItsOwnRoot() {
    assertThatThrownBy(
            () ->
                WriteLog.builder(root.resolve("log"))
                    .root(root)
                    .capacityBytes(1 << 20)
                    .persistence(Persistence.EMULATED)
                    .open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("its own root");
  }

  /** As a crash leaves one that is being made; or it is no log at all. */
  @Test
  void shouldRecoverNothingButALog() throws IOException {
    Files.createFile(
        log, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    for (int bytes : new int[] {0, 100_000}) {
      Files.write(log, new byte[bytes]);
      assertThatThrownBy(() -> builder().plan()).hasMessageContaining("not a write log");
      assertThatThrownBy(() -> builder().recover()).hasMessageContaining("not a write log");
      assertThat(log).hasSize(bytes);
    }
  }

  @Test
  void shouldMakeNoLogThatItCanNotUse() {
    assertThatThrownBy(() -> WriteLog.builder(log).persistence(Persistence.EMULATED).open())
        .hasMessageContaining("there is no root");
    Path inside = root.resolve("log");
    assertThatThrownBy(() -> builder(inside).open()).hasMessageContaining("its own root");
    assertThat(log).doesNotExist();
    assertThat(inside).doesNotExist();
  }

  @Test
  void shouldRefuseMoreThanItsLanesHold() {
    assertThatThrownBy(() -> builder().capacityBytes(1L << 40).lanes(8).open())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContainingAll("1099511627776", "8 lanes", "8589934592", "more lanes");
    assertThat(log).doesNotExist();
  }

  @Test
  void shouldLetOthersLookAtAnOpenLog() throws IOException {
    try (WriteLog open = builder().open();
        LogFile seen = LogFile.look(log)) {
      assertThat(seen.layout().lanes()).isEqualTo(2);
      assertThat(open.path()).isEqualTo(log);
    }
  }

  @Test
  void shouldRefuseMoreOpenFilesThanTheLogHasSlots() throws IOException {
    try (WriteLog open = builder().fileSlots(2).open()) {
      open(open, root.resolve("a")).write(bytes("1"), 0, 1, 0);
      open(open, root.resolve("b")).write(bytes("1"), 0, 1, 0);
      LoggedFile third = open(open, root.resolve("c"));
      assertThatThrownBy(() -> third.write(bytes("1"), 0, 1, 0)).hasMessageContaining("fileSlots");
    }
  }

  @Test
  void shouldWaitForTheSlotsOfClosedFiles() throws IOException {
    try (WriteLog open = builder().fileSlots(2).open()) {
      for (int i = 0; i < 100; i++) {
        LoggedFile file = open(open, root.resolve("a" + i));
        file.write(bytes("1"), 0, 1, 0);
        open.engine().names().lock();
        try {
          file.uses().release();
        } finally {
          open.engine().names().unlock();
        }
      }
      assertThat(open.stats().records()).isEqualTo(100);
      assertThat(open.stats().waits()).isPositive();
    }
  }

  @Test
  void shouldMakeNoGarbage() throws IOException {
    try (WriteLog open = builder().capacityBytes(64 << 20).open()) {
      LoggedFile file = open(open, root.resolve("a"));
      ByteBuffer[] block = {ByteBuffer.allocateDirect(4096)};
      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long best = Long.MAX_VALUE;
      for (int round = 0; round < 30; round++) {
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1000; i++) {
          block[0].clear();
          file.write(block, 0, 1, i % 100 * 4096L);
        }
        best = Math.min(best, threads.getCurrentThreadAllocatedBytes() - before);
      }
      assertThat(best).as("bytes in 1000 writes").isLessThan(1000);
    }
  }

  @Test
  void shouldFailWritesOfAClosedLog() throws IOException {
    WriteLog open = builder().open();
    LoggedFile file = open(open, root.resolve("a"));
    open.close();
    open.close();
    assertThatThrownBy(() -> file.write(bytes("x"), 0, 1, 0)).isInstanceOf(IOException.class);
    assertThat(List.of(root.resolve("a"))).allSatisfy(p -> assertThat(p).isEmptyFile());
  }

  /** Its memory is the next one's. */
  @Test
  void shouldNotAppendToALogThatIsClosed() throws IOException {
    WriteLog closed = builder().open();
    LoggedFile file = open(closed, root.resolve("a"));
    file.write(bytes("x"), 0, 1, 0);
    closed.close();
    try (WriteLog again = builder().open()) {
      assertThatThrownBy(() -> file.write(bytes("y"), 0, 1, 0)).hasMessageContaining("closed");
      assertThat(closed.engine().stats().records()).isEqualTo(1);
      assertThat(again.stats().records()).isZero();
    }
    assertThat(root.resolve("a")).hasContent("x");
  }
}
