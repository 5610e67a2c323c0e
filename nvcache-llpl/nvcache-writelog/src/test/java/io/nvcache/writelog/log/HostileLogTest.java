// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import io.nvcache.medium.Durability;
import io.nvcache.writelog.LogInspection;
import io.nvcache.writelog.ModifiedFiles;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.WriteLog;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogRecord;
import io.nvcache.writelog.format.Orphan;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log and an orphan whose numbers somebody has edited, with the sums made right again. It is
 * refused, or recovered, and nothing else: no other exception, no hang, no file outside of the
 * root.
 */
class HostileLogTest {
  private static final int EDITS = Integer.getInteger("nvcache.test.edits", 300);
  private static final LogLayout LAYOUT = new LogLayout(2, LogLayout.MIN_LANE_BYTES, 4, 77, 99);
  private static final long[] NUMBERS = {
    0,
    1,
    -1,
    63,
    64,
    4096,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 32,
    1L << 40,
    1L << 62,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 63,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 64
  };

  @TempDir private Path directory;
  private Path root;
  private Path path;
  private byte[] whole;
  private final List<Integer> records = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    Path real = directory.toRealPath();
    root = Files.createDirectory(real.resolve("root"));
    path = real.resolve("log");
    try (LogFile log = LogFile.open(path, LAYOUT, Persistence.EMULATED, Durability.PROCESS_CRASH)) {
      LogSettings settings =
          new LogSettings(
              List.of(root), real.resolve("log.orphans"), true, 1, Propagation.DEFERRED, 100);
      LogEngine engine =
          new LogEngine(log, LAYOUT, new PlatformDisk(), settings, System::currentTimeMillis);
      for (int i = 0; i < 3; i++) {
        Path file = Files.createFile(root.resolve("file" + i));
        LoggedFile logged = engine.open(file, i, true);
        for (int j = 0; j < 4; j++) {
          ByteBuffer bytes = ByteBuffer.wrap(new byte[100 * (j + 1)]);
          logged.write(new ByteBuffer[] {bytes}, 0, 1, j * 50);
        }
      }
      for (int lane = 0; lane < LAYOUT.lanes(); lane++) {
        for (int at = 0; at < engine.lanes()[lane].head(); ) {
          records.add((int) LAYOUT.laneOffset(lane) + at);
          at += LogRecord.bytes(log.lane(lane).getInt(at + 12));
        }
      }
    }
    whole = Files.readAllBytes(path);
  }

  /** Returns a number that a careless reader trips over, of some bytes. */
  private static long number(SplittableRandom random) {
    return random.nextInt(4) == 0 ? random.nextLong() : NUMBERS[random.nextInt(NUMBERS.length)];
  }

  private static void put(ByteBuffer log, int at, int bytes, long value) {
    if (bytes == 4) {
      log.putInt(at, (int) value);
    } else {
      log.putLong(at, value);
    }
  }

  private static int sum(ByteBuffer log, int... ranges) {
    CRC32C sum = new CRC32C();
    for (int i = 0; i < ranges.length; i += 2) {
      sum.update(log.slice(ranges[i], ranges[i + 1]));
    }
    return (int) sum.getValue();
  }

  private String edit(ByteBuffer log, SplittableRandom random) {
    long value = number(random);
    switch (random.nextInt(4)) {
      case 0 -> {
        int field = new int[] {12, 16, 24, 32, 40}[random.nextInt(5)];
        for (int page = 0; page < 2 * LogLayout.SUPERBLOCK_BYTES; page += 4096) {
          put(log, page + field, field == 12 || field == 24 ? 4 : 8, value);
          log.putInt(page + 28, sum(log, page, 28, page + 32, 16));
        }
        return "superblock " + field + " = " + value;
      }
      case 1 -> {
        int[] fields = {
          LogLayout.EPOCH,
          LogLayout.DRAINED_SEQ,
          LogLayout.HEARTBEAT,
          LogLayout.BOOT,
          LogLayout.RUN,
          LogLayout.laneTail(0),
          LogLayout.laneTail(1)
        };
        int field = fields[random.nextInt(fields.length)];
        put(log, field, 8, value);
        return "state " + field + " = " + value;
      }
      case 2 -> {
        int slot = LogLayout.TABLE + random.nextInt(3) * FileTable.SLOT_BYTES;
        int field = new int[] {0, 8, 12, 16, 24, 32, 40, 64}[random.nextInt(8)];
        put(log, slot + field, field >= 8 && field <= 16 ? 4 : 8, value);
        int length = Math.max(0, Math.min(FileTable.MAX_PATH_BYTES, log.getInt(slot + 16)));
        log.putInt(slot + 20, sum(log, slot, 20, slot + 24, 40 + length));
        return "table " + field + " = " + value;
      }
      default -> {
        int record = records.get(random.nextInt(records.size()));
        int field = new int[] {8, 12, 16, 24, 32, 48}[random.nextInt(6)];
        if (field == 8) {
          log.put(record + 10, (byte) random.nextInt(6));
        } else {
          put(log, record + field, field == 12 ? 4 : 8, value);
        }
        log.putInt(record + 44, sum(log, record, 44, record + 48, 16));
        int length = log.getInt(record + 12);
        if (length >= 0 && length <= log.capacity() - record - 64) {
          log.putInt(record + 60, sum(log, record + 64, length));
          log.putInt(record + 44, sum(log, record, 44, record + 48, 16));
        }
        return "record " + record + " " + field + " = " + value;
      }
    }
  }

  @Test
  void shouldRefuseOrRecoverWhatWasEdited() throws IOException {
    long seed = Long.getLong("nvcache.test.seed", System.nanoTime());
    for (int i = 0; i < EDITS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      ByteBuffer log = ByteBuffer.wrap(whole.clone()).order(ByteOrder.LITTLE_ENDIAN);
      List<String> edits = new ArrayList<>();
      for (int edit = random.nextInt(3); edit >= 0; edit--) {
        edits.add(edit(log, random));
      }
      String what = "-Dnvcache.test.seed=" + (seed + i) + ": " + edits;
      Path copy = directory.toRealPath().resolve("copy");
      Files.write(copy, log.array());
      Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rw-------"));
      Path target = directory.toRealPath().resolve("exported");
      lookAt(copy, target, what);
      recover(copy, what);
      try (Stream<Path> files = Files.list(directory)) {
        assertThat(files.map(file -> file.getFileName().toString()))
            .as(what)
            .isSubsetOf("root", "log", "copy", "copy.orphans", "exported");
      }
      for (Path one : List.of(copy, directory.resolve("copy.orphans"), target)) {
        delete(one);
      }
    }
  }

  /** As a write may that was deferred: only the drain would have met the file system's limit. */
  @Test
  void shouldRecoverTheOthersOfAFileThatCanNotHoldItsRecords() throws IOException {
    ByteBuffer log = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN);
    int record = records.get(0);
    log.putLong(record + 32, 1L << 62);
    log.putInt(record + 44, sum(log, record, 44, record + 48, 16));
    Files.write(path, log.array());
    try (WriteLog opened =
        WriteLog.builder(path).root(root).persistence(Persistence.EMULATED).open()) {
      assertThat(opened.recovery().orphans()).hasSize(1);
      assertThat(opened.recovery().files()).isEqualTo(2);
    }
  }

  private static void lookAt(Path copy, Path target, String what) {
    try {
      assertThat(LogInspection.of(copy)).isNotNull();
      LogInspection.export(copy, Files.createDirectories(target));
    } catch (IOException refused) {
      assertThat(refused.getMessage()).as(what).isNotBlank();
    } catch (RuntimeException | Error e) {
      fail(what, e);
    }
  }

  private void recover(Path copy, String what) {
    try (WriteLog opened =
        WriteLog.builder(copy)
            .root(root)
            .persistence(Persistence.EMULATED)
            .modifiedFiles(ModifiedFiles.OVERWRITE)
            .open()) {
      Path file = root.resolve("file0");
      LoggedFile logged = opened.engine().open(file, "again", false);
      logged.write(new ByteBuffer[] {ByteBuffer.wrap(new byte[10])}, 0, 1, 0);
    } catch (IOException refused) {
      assertThat(refused.getMessage()).as(what).isNotBlank();
    } catch (RuntimeException | Error e) {
      fail(what, e);
    }
  }

  private static void delete(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      try (Stream<Path> files = Files.list(path)) {
        for (Path file : files.toList()) {
          Files.delete(file);
        }
      }
    }
    Files.deleteIfExists(path);
  }

  @Test
  void shouldRefuseAnOrphanThatWasEdited() throws IOException {
    Path from = directory.resolve("orphan");
    Path to = directory.resolve("target");
    long seed = Long.getLong("nvcache.test.seed", System.nanoTime());
    byte[] name = "/r/a".getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < EDITS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      ByteBuffer orphan = ByteBuffer.allocate(24 + name.length + 30).order(ByteOrder.LITTLE_ENDIAN);
      orphan.putLong(0x4e4148504f2d564eL).putInt(1).putInt(name.length).putLong(1).put(name);
      int change = orphan.position();
      orphan.putInt(LogRecord.WRITE).putInt(10).putLong(5);
      orphan.putInt(sum(orphan, change + 20, 10));
      int field = new int[] {12, 16, change, change + 4, change + 8}[random.nextInt(5)];
      long value = number(random);
      put(orphan, field, field == 16 || field == change + 8 ? 8 : 4, value);
      int length = orphan.getInt(change + 4);
      if (length >= 0 && length <= 10) {
        orphan.putInt(change + 16, sum(orphan, change + 20, length));
      }
      Files.write(from, orphan.array());
      String what = "-Dnvcache.test.seed=" + (seed + i) + ": " + field + " = " + value;
      try {
        assertThat(Orphan.target(from)).as(what).isNotNull();
        assertThat(Orphan.apply(from, to)).as(what).isEqualTo(10L);
      } catch (IOException refused) {
        assertThat(refused).as(what).isNotNull();
      } catch (RuntimeException | Error e) {
        fail(what, e);
      }
      Files.deleteIfExists(to);
    }
  }

  /** What a sparse file claims takes no memory. */
  @Test
  void shouldApplyALongChangePieceByPiece() throws IOException {
    Path from = directory.resolve("orphan");
    int length = 100 << 20;
    CRC32C sum = new CRC32C();
    for (int i = 0; i < length; i += 1 << 20) {
      sum.update(new byte[1 << 20]);
    }
    ByteBuffer orphan = ByteBuffer.allocate(24 + 20).order(ByteOrder.LITTLE_ENDIAN);
    orphan.putLong(0x4e4148504f2d564eL).putInt(1).putInt(0).putLong(1);
    orphan.putInt(LogRecord.WRITE).putInt(length).putLong(5).putInt((int) sum.getValue());
    Files.write(from, orphan.array());
    try (RandomAccessFile file = new RandomAccessFile(from.toFile(), "rw")) {
      file.setLength(orphan.capacity() + (long) length);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());

    assertThat(Orphan.apply(from, directory.resolve("target"))).isEqualTo(length);

    long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertThat(allocated).as("bytes that were allocated").isLessThan(8L << 20);
    assertThat(directory.resolve("target")).hasSize(length + 5L);
  }

  /** Returns one without changes. */
  private Path emptyOrphan() throws IOException {
    ByteBuffer orphan = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    orphan.putLong(0x4e4148504f2d564eL).putInt(1).putInt(0).putLong(0);
    return Files.write(directory.resolve("orphan"), orphan.array());
  }

  @Test
  void shouldMakeAndChangeNoFileForWhatIsNoOrphan() throws IOException {
    Path orphan = emptyOrphan();
    byte[] bytes = Files.readAllBytes(orphan);
    assertThatThrownBy(() -> Orphan.apply(orphan, orphan)).hasMessageContaining("to itself");
    assertThat(orphan).hasBinaryContent(bytes);
    Path target = directory.resolve("target");
    for (int length : new int[] {0, 23}) {
      Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> Orphan.apply(cut, target))
          .hasMessageContaining(cut + " is not an orphan");
    }
    Path junk = Files.write(directory.resolve("junk"), new byte[100]);
    assertThatThrownBy(() -> Orphan.apply(junk, target)).hasMessageContaining("not an orphan");
    assertThat(target).doesNotExist();
  }

  @Test
  @Timeout(60)
  void shouldNotWaitForAPipe() throws Exception {
    Path pipe = directory.toRealPath().resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    for (ThrowingCallable call :
        new ThrowingCallable[] {
          () -> LogFile.open(pipe, LAYOUT, Persistence.EMULATED, Durability.PROCESS_CRASH),
          () -> LogFile.look(pipe),
          () -> LogFile.take(pipe),
          () -> LogFile.isInUse(pipe),
          () -> Orphan.target(pipe),
          () -> Orphan.apply(pipe, directory.resolve("target")),
          () -> Orphan.apply(emptyOrphan(), pipe)
        }) {
      assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessageContaining("pipe");
    }
    assertThat(directory.resolve("target")).doesNotExist();
  }

  /** Of another user, if this one may write to the directory. */
  @Test
  void shouldNotTakeALogOverThatAppearsWhileItIsOpened() throws IOException {
    Path other = directory.toRealPath().resolve("link");
    Files.createSymbolicLink(other, directory.resolve("elsewhere"));
    assertThatThrownBy(
            () -> LogFile.open(other, LAYOUT, Persistence.EMULATED, Durability.PROCESS_CRASH))
        .isInstanceOf(IOException.class);
    assertThat(directory.resolve("elsewhere")).doesNotExist();
  }

  @Test
  void shouldKeepOrphansToTheirUser() throws IOException {
    Path orphans = directory.toRealPath().resolve("orphans");
    Orphan.create(new PlatformDisk(), orphans, LAYOUT, 1, 1, "a").close();
    Orphan again = Orphan.create(new PlatformDisk(), orphans, LAYOUT, 1, 1, "a");
    again.close();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(orphans)))
        .isEqualTo("rwx------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(again.path())))
        .isEqualTo("rw-------");
  }

  @Test
  void shouldKeepWhatIsExportedToItsUser() throws IOException {
    Path exported = directory.toRealPath().resolve("exported");
    Files.write(path, whole);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
    assertThat(LogInspection.export(path, exported)).isNotEmpty();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(exported)))
        .isEqualTo("rwx------");
  }

  @Test
  void shouldNotWriteOrphansToADirectoryOfAnotherUser() throws IOException {
    Path orphans = Files.createDirectory(directory.toRealPath().resolve("orphans"));
    try {
      Files.setAttribute(orphans, "unix:uid", 12345);
    } catch (IOException e) {
      org.junit.jupiter.api.Assumptions.abort("only root may give a directory away");
    }
    assertThatThrownBy(() -> Orphan.create(new PlatformDisk(), orphans, LAYOUT, 1, 1, "a"))
        .hasMessageContaining("belongs to user 12345");
  }
}
