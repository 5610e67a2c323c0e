// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.disk.PlatformDisk;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LogSettings;
import io.nvcache.writelog.mapped.LogFile;
import io.nvcache.writelog.recovery.Recovery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Configures a {@link WriteLog}. Not thread-safe. */
public final class WriteLogBuilder {
  private static final int PAGE_BYTES = 4096;
  private static final int MAX_BATCH_RECORDS = 1_000_000;
  private static final int DEFAULT_FILE_SLOTS = 4096;
  private static final long DEFAULT_CAPACITY_BYTES = 256L << 20;

  private final Path path;
  private final List<Path> roots = new ArrayList<>();
  private long capacityBytes = DEFAULT_CAPACITY_BYTES;
  private int lanes = 8;
  private int fileSlots = DEFAULT_FILE_SLOTS;
  private @Nullable Persistence persistence;
  private Durability required = Durability.POWER_FAIL;
  private Duration spaceTimeout = Duration.ofSeconds(30);
  private Propagation propagation = Propagation.ON_WRITE;
  private int batchRecords = LogSettings.DEFAULT_BATCH_RECORDS;
  private ModifiedFiles modifiedFiles = ModifiedFiles.REFUSE;

  WriteLogBuilder(Path path) {
    this.path = Objects.requireNonNull(path, "path");
  }

  /**
   * Adds a directory, whose files and those below it are written through the log. One that is not
   * there yet must not be made as a link.
   */
  public WriteLogBuilder root(Path directory) {
    roots.add(Objects.requireNonNull(directory, "directory"));
    return this;
  }

  /** Sets the bytes of all lanes of a new log; an existing one keeps its own. Default: 256 MiB. */
  public WriteLogBuilder capacityBytes(long bytes) {
    if (bytes < LogLayout.MIN_LANE_BYTES) {
      throw new IllegalArgumentException(
          "capacityBytes is " + bytes + "; it must be at least " + LogLayout.MIN_LANE_BYTES);
    }
    capacityBytes = bytes;
    return this;
  }

  /** Sets how many threads can append at a time to a new log, 1 to 32. Default: 8. */
  public WriteLogBuilder lanes(int count) {
    if (count < 1 || count > LogLayout.MAX_LANES) {
      throw new IllegalArgumentException(
          "lanes is " + count + "; it must be between 1 and " + LogLayout.MAX_LANES);
    }
    lanes = count;
    return this;
  }

  /** Sets how many files of a new log can be open for writing at a time. Default: 4,096. */
  public WriteLogBuilder fileSlots(int count) {
    if (count < 1 || count > LogLayout.MAX_FILE_SLOTS) {
      throw new IllegalArgumentException(
          "fileSlots is " + count + "; it must be between 1 and " + LogLayout.MAX_FILE_SLOTS);
    }
    fileSlots = count;
    return this;
  }

  /** Sets how bytes become durable. Default: the best that the log's file system has. */
  public WriteLogBuilder persistence(Persistence kind) {
    persistence = Objects.requireNonNull(kind, "kind");
    return this;
  }

  /**
   * Sets what acknowledged writes must survive; a log that can't promise it is refused. Default:
   * the loss of power.
   */
  public WriteLogBuilder require(Durability grade) {
    required = Objects.requireNonNull(grade, "grade");
    return this;
  }

  /** Sets how long a write waits for room in the log before it fails. Default: 30 s. */
  public WriteLogBuilder spaceTimeout(Duration timeout) {
    if (timeout.isNegative() || timeout.isZero()) {
      throw new IllegalArgumentException(
          "spaceTimeout is " + timeout + "; it must be longer than nothing");
    }
    spaceTimeout = timeout;
    return this;
  }

  /** Sets when writes reach the page cache of their files. Default: before they return. */
  public WriteLogBuilder propagation(Propagation choice) {
    propagation = Objects.requireNonNull(choice, "choice");
    return this;
  }

  /**
   * Sets how many deferred writes the drain takes to the disk at a time, 1 to 1,000,000. Default:
   * 10,000.
   */
  public WriteLogBuilder batchRecords(int count) {
    if (count < 1 || count > MAX_BATCH_RECORDS) {
      throw new IllegalArgumentException(
          "batchRecords is " + count + "; it must be between 1 and " + MAX_BATCH_RECORDS);
    }
    batchRecords = count;
    return this;
  }

  /** Sets what a recovery does to files that changed after the log's last record. */
  public WriteLogBuilder modifiedFiles(ModifiedFiles choice) {
    modifiedFiles = Objects.requireNonNull(choice, "choice");
    return this;
  }

  /**
   * Opens the log, after recovering what it holds.
   *
   * @throws IllegalArgumentException if there is no root, the log lies in one, or its lanes can't
   *     hold the capacity
   * @throws IOException if the log promises less than is required, can't be opened, or can't be
   *     recovered; what it holds stays
   */
  public WriteLog open() throws IOException {
    List<Path> real = realRoots();
    LogFile file = LogFile.open(path, layout(), persistence, required);
    try {
      LogSettings settings = settings(file, real);
      PlatformDisk disk = new PlatformDisk();
      RecoveryReport report =
          new Recovery(file, file.layout(), disk, settings, System::currentTimeMillis)
              .run(modifiedFiles == ModifiedFiles.OVERWRITE);
      file.beginUse();
      LogEngine engine =
          new LogEngine(file, file.layout(), disk, settings, System::currentTimeMillis);
      return new WriteLog(file, engine, report);
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
  }

  /**
   * Recovers a log that is there, and makes none.
   *
   * @throws IOException as {@link #open}, or if there is no log
   */
  public RecoveryReport recover() throws IOException {
    requireLog();
    try (WriteLog open = open()) {
      return open.recovery();
    }
  }

  /**
   * Returns what opening the log would recover, and changes nothing.
   *
   * @throws IOException if there is no log, or another program has it open
   */
  public RecoveryReport plan() throws IOException {
    List<Path> real = realRoots();
    requireLog();
    try (LogFile file = LogFile.open(path, layout(), Persistence.PAGE_CACHE, Durability.NONE)) {
      return new Recovery(
              file,
              file.layout(),
              new PlatformDisk(),
              settings(file, real),
              System::currentTimeMillis)
          .plan();
    }
  }

  /** Else one would be made of a file that is empty, or begins with zeros. */
  private void requireLog() throws IOException {
    if (!Files.isRegularFile(path)) {
      throw new IOException(path + " is not there; name the file of a write log");
    }
    LogFile.look(path).close();
  }

  private LogLayout layout() {
    long most = (long) lanes * LogLayout.MAX_LANE_BYTES;
    if (capacityBytes > most) {
      throw new IllegalArgumentException(
          "capacityBytes is "
              + capacityBytes
              + "; "
              + lanes
              + " lanes hold at most "
              + most
              + "; lower it, or give the log more lanes");
    }
    long bytes = capacityBytes / lanes;
    int whole = (int) Math.max(LogLayout.MIN_LANE_BYTES, bytes / PAGE_BYTES * PAGE_BYTES);
    return new LogLayout(
        lanes,
        whole,
        fileSlots,
        ThreadLocalRandom.current().nextLong(),
        System.currentTimeMillis());
  }

  /** A program may make the directory later. It holds no file then, so there is none to recover. */
  private static Path real(Path root) throws IOException {
    try {
      return root.toRealPath();
    } catch (NoSuchFileException e) {
      Path absolute = root.toAbsolutePath().normalize();
      Path parent = absolute.getParent();
      if (parent == null || Files.isSymbolicLink(absolute)) {
        throw new IOException(
            "the root " + root + " is a link to nothing; make the directory that it leads to", e);
      }
      return real(parent).resolve(absolute.getFileName());
    }
  }

  /** Asked before a log is made, which would stay if they are wrong. */
  private List<Path> realRoots() throws IOException {
    if (roots.isEmpty()) {
      throw new IllegalArgumentException("there is no root; name the directory to be logged");
    }
    Path directory = path.toAbsolutePath().getParent();
    Path log = directory == null ? path : real(directory).resolve(path.getFileName());
    List<Path> real = new ArrayList<>();
    for (Path root : roots) {
      Path one = real(root);
      if (log.startsWith(one)) {
        throw new IllegalArgumentException(
            "the log " + log + " lies in its own root " + one + "; put it elsewhere");
      }
      real.add(one);
    }
    return real;
  }

  private LogSettings settings(LogFile file, List<Path> real) throws IOException {
    Path log = path.toRealPath();
    return new LogSettings(
        real,
        log.resolveSibling(log.getFileName() + ".orphans"),
        file.grade() == Durability.POWER_FAIL,
        spaceTimeout.toNanos(),
        propagation,
        batchRecords);
  }
}
