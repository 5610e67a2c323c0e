// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.recovery;

import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.FileTable.Entry;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogMemory;
import io.nvcache.writelog.format.LogRecord;
import io.nvcache.writelog.format.LogScan.Cursor;
import io.nvcache.writelog.format.Orphan;
import io.nvcache.writelog.pages.PageKeys;
import io.nvcache.writelog.pages.PageWriter;
import io.nvcache.writelog.pages.PendingPages;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes records to their files, in a {@link Recovery}. Collects where the newest bytes of each
 * page are, and writes each once, by their places. When many pages are collected, or a file is cut,
 * it writes what it has so far. Used by one thread.
 */
final class RecordReplay {
  /** No file system has longer blocks, and the blocks that a cut frees hold nothing. */
  private static final int MAX_BLOCK_BYTES = 64 << 10;

  /** Of 28 bytes each, so that a recovery fits into a small heap. */
  private static final int COLLECTED_PAGES = 256 << 10;

  /** A file that a log has records of, and what becomes of them in a {@link Recovery}. */
  static final class Target {
    static final long NOT_CUT = -1;

    /** What becomes of a file's records. */
    enum Fate {
      REPLAY,
      DROP,
      ORPHAN
    }

    final long fileId;
    final @Nullable Entry entry;

    /** Where it was, and then where it is. */
    @Nullable Path path;

    boolean renamed;
    Fate fate = Fate.ORPHAN;
    @Nullable DiskFile file;
    @Nullable Orphan orphan;

    /** The length, once a record has cut the file. */
    long cutLength = NOT_CUT;

    Target(long fileId, @Nullable Entry entry, @Nullable Path path) {
      this.fileId = fileId;
      this.entry = entry;
      this.path = path;
    }

    String name() {
      return entry == null ? "file " + fileId : entry.path();
    }

    Path requirePath() {
      Path known = path;
      if (known == null) {
        throw new IllegalStateException("no path of " + name());
      }
      return known;
    }

    /** Returns the file, which is opened at the first call. */
    DiskFile open(Disk disk) throws IOException {
      DiskFile open = file;
      if (open == null) {
        open = disk.openOwn(requirePath());
        file = open;
      }
      return open;
    }

    void closeOrphan() throws IOException {
      if (orphan != null) {
        orphan.close();
        orphan = null;
      }
    }

    void close() throws IOException {
      if (file != null) {
        file.close();
      }
      closeOrphan();
    }
  }

  /** Of EFBIG: it was deferred, and its file system has no such place. */
  private static final String TOO_LARGE = "File too large";

  /** A file that can't hold its records; all of them go to the orphans then. */
  static final class Unplaced extends IOException {
    private static final long serialVersionUID = 1;
    private final transient Target target;

    private Unplaced(Target target, IOException cause) {
      super(cause);
      this.target = target;
    }

    Target target() {
      return target;
    }
  }

  private final LogLayout layout;
  private final Disk disk;
  private final PendingPages pages;
  private final PageWriter writer;
  private final Map<Integer, Target> collected = new HashMap<>();

  /**
   * Replays the records of a log.
   *
   * @param progress called before each write, which may take long
   */
  RecordReplay(LogMemory memory, LogLayout layout, Disk disk, PageWriter.Progress progress) {
    this.layout = layout;
    this.disk = disk;
    this.pages = PendingPages.of(memory, layout, COLLECTED_PAGES);
    this.writer = new PageWriter(pages, progress);
  }

  /** Forgets what is collected. */
  void forget() {
    pages.trim(pages.all(), PendingPages.all(layout));
    collected.clear();
  }

  /** Collects a record, or writes it at once. */
  void add(Cursor at, Target target) throws IOException {
    if (at.type() != LogRecord.WRITE || !PageKeys.canHold(at.offset(), at.length())) {
      write();
      DiskFile file = target.open(disk);
      fillGap(at, target);
      try {
        at.apply(file);
      } catch (IOException e) {
        throw unplaced(target, e);
      }
      if (at.type() == LogRecord.TRUNCATE) {
        target.cutLength = file.size();
      }
      return;
    }
    fillGap(at, target);
    int slot = FileTable.slotOf(at.fileId());
    int touched = PageKeys.pages(at.offset(), at.length());
    if (collected.getOrDefault(slot, target) != target) {
      write();
    }
    if (!pages.tryReserve(touched)) {
      write();
      if (!pages.tryReserve(touched)) {
        throw new IllegalStateException("a record of " + touched + " pages, and there is no room");
      }
    }
    collected.put(slot, target);
    pages.add(slot, at.lane(), at.lsn(), at.offset(), at.length());
  }

  /**
   * Writes zeros between the end of a file that was cut and a write behind it. The cut may be in
   * the page cache already, and a sync that failed have lost it there: then it changes nothing, and
   * the disk still has what was cut off.
   */
  private void fillGap(Cursor at, Target target) throws IOException {
    if (target.cutLength == Target.NOT_CUT || at.type() != LogRecord.WRITE || at.length() == 0) {
      return;
    }
    long from = target.cutLength;
    int block = (int) Math.min(MAX_BLOCK_BYTES - from % MAX_BLOCK_BYTES, at.offset() - from);
    if (block > 0) {
      target.open(disk).write(ByteBuffer.allocate(block).asReadOnlyBuffer(), from);
    }
    target.cutLength = Math.max(from, at.offset() + at.length());
  }

  /** Writes what is collected. */
  void write() throws IOException {
    long[] ends = PendingPages.all(layout);
    long[] keys = pages.all();
    for (Map.Entry<Integer, Target> one : collected.entrySet()) {
      try {
        writer.write(one.getValue().open(disk), one.getKey(), keys, ends);
      } catch (IOException e) {
        throw unplaced(one.getValue(), e);
      }
    }
    pages.trim(keys, ends);
    collected.clear();
  }

  private static IOException unplaced(Target target, IOException e) {
    return TOO_LARGE.equals(e.getMessage()) ? new Unplaced(target, e) : e;
  }
}
