// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.disk.BootId;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogMemory;
import io.nvcache.writelog.format.LogRegion;
import io.nvcache.writelog.format.LogState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import jdk.nio.mapmode.ExtendedMapMode;
import org.jspecify.annotations.Nullable;

/**
 * The file of a log, mapped: its head, and each lane as one region. {@link LogChannel} says who may
 * open it; what maps it decides how its bytes become durable, and what they survive.
 *
 * <p>Thread-safe: what it refers to does not change. Of the bytes, each has one writer at a time: a
 * lane its holder, a slot of the table of files the thread that holds the file, the drained number
 * and the tails the drain. The heartbeat alone may be stored by any thread.
 */
public final class LogFile implements LogMemory {
  private final LogChannel channel;
  private final Persistence persistence;
  private final Durability grade;
  private final LogRegion head;
  private final MappedRegion[] lanes;

  private LogFile(LogChannel channel, Persistence persistence, Durability grade, MapMode mode)
      throws IOException {
    this.channel = channel;
    this.persistence = persistence;
    this.grade = grade;
    LogLayout layout = channel.layout();
    this.head = new MappedRegion(channel.channel().map(mode, 0, layout.headBytes()), persistence);
    this.lanes = new MappedRegion[layout.lanes()];
    for (int i = 0; i < lanes.length; i++) {
      MappedByteBuffer lane = channel.channel().map(mode, layout.laneOffset(i), layout.laneBytes());
      lanes[i] = new MappedRegion(lane, persistence);
    }
  }

  /**
   * Opens a log, or creates it.
   *
   * @param fresh its layout if it is new; an existing one keeps its own
   * @param asked how its bytes become durable; null for the best that the file system has
   * @param least what they must survive
   * @throws IOException if they would not survive that; if the file is held by another process, is
   *     no log, belongs to another user, or the disk has no room
   */
  public static LogFile open(
      Path path, LogLayout fresh, @Nullable Persistence asked, Durability least)
      throws IOException {
    synchronized (LogChannel.LOCK) { // Else others might map what a failure cuts short again.
      LogChannel channel = LogChannel.open(path, fresh);
      try {
        return map(channel, asked, least);
      } catch (IOException | RuntimeException | Error e) {
        LogChannel.undo(channel::abandon, e);
        throw e;
      }
    }
  }

  /** Opens a log to look at it, also while it is in use. */
  public static LogFile look(Path path) throws IOException {
    synchronized (LogChannel.LOCK) { // Else its owner might close what is not mapped yet.
      return looking(LogChannel.look(path));
    }
  }

  /**
   * Takes a log that no program has open, to look at it while none can open it.
   *
   * @throws IOException if a program has it open, or it is no log
   */
  public static LogFile take(Path path) throws IOException {
    return looking(LogChannel.take(path));
  }

  private static LogFile looking(LogChannel channel) throws IOException {
    Persistence looked = Persistence.PAGE_CACHE;
    try {
      return new LogFile(channel, looked, looked.grade(), MapMode.READ_ONLY);
    } catch (IOException | RuntimeException | Error e) {
      LogChannel.undo(channel::close, e);
      throw e;
    }
  }

  private static LogFile map(LogChannel channel, @Nullable Persistence asked, Durability least)
      throws IOException {
    Path path = channel.path();
    boolean dax = LogPlace.isPersistentMemory(channel.channel());
    Persistence persistence =
        asked != null ? asked : dax ? Persistence.SYNC_MAPPING : Persistence.PAGE_CACHE;
    LogPlace.requirePmdk(path, persistence);
    Durability grade = LogPlace.requireGrade(path, persistence, dax, least);
    MapMode mode =
        persistence == Persistence.SYNC_MAPPING || (persistence == Persistence.PMDK && dax)
            ? ExtendedMapMode.READ_WRITE_SYNC
            : MapMode.READ_WRITE;
    try {
      LogFile file = new LogFile(channel, persistence, grade, mode);
      if (LogPlace.typeOf(path).equals("tmpfs")) {
        file.load();
      }
      return file;
    } catch (IOException | UnsupportedOperationException e) {
      throw new IOException(
          "can't map the write log "
              + path
              + " as "
              + persistence
              + ": "
              + e.getMessage()
              + "; put it on a file system mounted with -o dax, or choose another persistence",
          e);
    }
  }

  /**
   * Maps the lanes' pages now, of a log in DRAM. Else the first write to each is a fault, which
   * takes longer than the write. A disk's pages fault again after each sync, and persistent memory
   * is mapped in pieces of 2 MiB.
   */
  private void load() {
    for (MappedRegion lane : lanes) {
      lane.load();
    }
  }

  /** Returns whether a program has a log open, this one or another. */
  public static boolean isInUse(Path path) throws IOException {
    return LogChannel.isInUse(path);
  }

  /** Returns whether the lines of an emulation are really written back. */
  public static boolean writesLinesBack() {
    return LineFlush.isReal();
  }

  /** Returns the file. */
  public Path path() {
    return channel.path();
  }

  /** Returns the layout that the file says. */
  public LogLayout layout() {
    return channel.layout();
  }

  /** Returns how its bytes become durable. */
  public Persistence persistence() {
    return persistence;
  }

  /** Returns what its bytes survive where it lies; of an emulation, what it plays. */
  public Durability grade() {
    return grade;
  }

  /**
   * Checks that no other program has cut the file short.
   *
   * @throws IOException if one has: what was mapped there is gone, and to touch it is a fault
   */
  public void requireWhole() throws IOException {
    channel.requireWhole();
  }

  /** Overwrites a log that was {@linkplain #take taken} with zeros, and deletes it. */
  public void wipe() throws IOException {
    channel.wipe();
  }

  /**
   * Takes down the run of the system that the log is used in from now on, if it ends with that; to
   * be called after a recovery.
   *
   * @throws IOException if that can't be written
   */
  public void beginUse() throws IOException {
    boolean outlivesIt = grade.compareTo(Durability.POWER_FAIL) >= 0;
    new LogState(this)
        .putBoot(outlivesIt ? BootId.UNKNOWN : BootId.current(path().getFileSystem()));
  }

  @Override
  public LogRegion head() {
    return head;
  }

  @Override
  public LogRegion lane(int index) {
    return lanes[index];
  }

  /** Lets another program open the log. What is mapped is unmapped when nothing refers to it. */
  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
