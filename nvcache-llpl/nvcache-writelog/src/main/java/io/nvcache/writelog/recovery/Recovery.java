// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.recovery;

import io.nvcache.writelog.RecoveryReport;
import io.nvcache.writelog.disk.BootId;
import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.format.FileTable.Entry;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.format.LogMemory;
import io.nvcache.writelog.format.LogRecord;
import io.nvcache.writelog.format.LogScan;
import io.nvcache.writelog.format.LogScan.Cursor;
import io.nvcache.writelog.format.LogState;
import io.nvcache.writelog.format.Orphan;
import io.nvcache.writelog.log.LogSettings;
import io.nvcache.writelog.recovery.FileSearch.Place;
import io.nvcache.writelog.recovery.RecordReplay.Target;
import io.nvcache.writelog.recovery.RecordReplay.Target.Fate;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Brings what a crash left in a log to its files. A crash at any step is met by the next recovery,
 * which does the same again: nothing is taken out of the log before all is durable in the files.
 *
 * <p>It decides for each file first, and writes only then. A file is what has the inode and the
 * time of birth that the table says, whatever its name is now; none is made:
 *
 * <ul>
 *   <li>the file is in the roots: its records are replayed to it;
 *   <li>it is not, the system still runs that it was written in, and the page cache has all of it:
 *       the program has deleted it, or taken it elsewhere, and nothing is lost;
 *   <li>it is not otherwise, it may not be written by this user, or lies outside of the roots: its
 *       bytes go to the orphans;
 *   <li>it was modified after its last record: a program ran without the log, and a replay would
 *       undo that. All is refused, unless it is forced;
 *   <li>its root is missing: it may not be mounted yet. All is refused, unless it is forced.
 * </ul>
 *
 * <p>{@link RecordReplay} writes what is replayed.
 */
public final class Recovery {
  /** Of EPERM: the file may only be appended to, or not at all ({@code chattr}). */
  private static final String NOT_PERMITTED = "Operation not permitted";

  /** Clocks of file systems are coarse. */
  private static final long SLACK_MILLIS = 2_000;

  private final LogMemory memory;
  private final LogLayout layout;
  private final Disk disk;
  private final LogSettings settings;
  private final LongSupplier clockMillis;
  private final LogState state;
  private final int epoch;
  private final FileTable table;
  private final RecordReplay replay;
  private final Map<Long, Target> targets = new LinkedHashMap<>();
  private final List<String> orphans = new ArrayList<>();
  private final List<String> modified = new ArrayList<>();
  private @Nullable LogScan found;

  /** Looks at a log that is not in use. */
  public Recovery(
      LogMemory memory,
      LogLayout layout,
      Disk disk,
      LogSettings settings,
      LongSupplier clockMillis) {
    this.memory = memory;
    this.layout = layout;
    this.disk = disk;
    this.settings = settings;
    this.clockMillis = clockMillis;
    this.state = new LogState(memory);
    this.epoch = state.epoch();
    this.table = new FileTable(memory.head(), layout.fileSlots(), epoch);
    this.replay = new RecordReplay(memory, layout, disk, pagesOfAWrite -> heartbeat());
  }

  /** Returns what {@link #run} would do, and changes nothing. */
  public RecoveryReport plan() throws IOException {
    try {
      return decidedPlan();
    } finally {
      close();
    }
  }

  private RecoveryReport decidedPlan() throws IOException {
    decide();
    long records = 0;
    long bytes = 0;
    LogScan scan = rescan();
    for (Cursor at = scan.nextChange(); at != null; at = scan.nextChange()) {
      Target target = targets.get(at.fileId());
      if (target != null && target.fate == Fate.REPLAY) {
        records++;
        bytes += at.length();
      }
    }
    for (Target target : targets.values()) {
      if (target.fate == Fate.ORPHAN) {
        orphans.add(target.name());
      }
    }
    return report(records, bytes, scan);
  }

  private RecoveryReport report(long records, long bytes, LogScan scan) {
    return new RecoveryReport(
        records,
        bytes,
        count(target -> target.fate == Fate.REPLAY),
        count(target -> target.fate == Fate.REPLAY && target.renamed),
        count(target -> target.fate == Fate.DROP),
        orphans,
        modified,
        scan.damaged(),
        scan.bytes());
  }

  private int count(Predicate<Target> condition) {
    return (int) targets.values().stream().filter(condition).count();
  }

  /**
   * Recovers the log, and begins a new epoch.
   *
   * @param force whether files that were modified since are overwritten, and those of a missing
   *     root taken for gone
   * @throws IOException if there is one of these and it is not forced, or the disk fails; the log
   *     then holds what it held
   */
  public RecoveryReport run(boolean force) throws IOException {
    persist();
    try {
      decide();
      if (!force) {
        requireRoots();
        requireUnmodified();
      }
      return replay();
    } finally {
      close();
    }
  }

  private void requireRoots() throws IOException {
    for (Target target : targets.values()) {
      Path root = target.path == null ? null : settings.rootOf(target.path);
      if (root != null && disk.device(root) == null) {
        throw new IOException(
            "can't recover: the root "
                + root
                + " is not there, and the log holds writes of files in it; mount it, or force the"
                + " recovery by nvcache log recover --force, which takes them to the orphans");
      }
    }
  }

  private void requireUnmodified() throws IOException {
    if (!modified.isEmpty()) {
      throw new IOException(
          "can't recover: "
              + String.join(", ", modified)
              + (modified.size() == 1 ? " was" : " were")
              + " modified after the log's last record, so a replay might undo what was written"
              + " without the log; look at it with nvcache log export, then force the recovery or"
              + " wipe the log");
    }
  }

  private void close() throws IOException {
    for (Target target : targets.values()) {
      target.close();
    }
  }

  /**
   * Makes durable what is about to be read. After the end of a process, a record may be whole in
   * the processor's cache and not on the medium; if the power went while it is replayed, its change
   * would stay half made.
   */
  private void persist() throws IOException {
    memory.head().persist(0, memory.head().bytes());
    for (int i = 0; i < layout.lanes(); i++) {
      memory.lane(i).persist(0, layout.laneBytes());
    }
  }

  private void decide() throws IOException {
    // Of the last record, or of the last sign of life.
    long lastMillis = state.heartbeat();
    LogScan scan = LogScan.unsorted(memory, layout);
    found = scan;
    for (Cursor at = scan.next(); at != null; at = scan.next()) {
      scan.noteVoid(at);
      lastMillis = Math.max(lastMillis, at.time());
      if (at.type() != LogRecord.ABORT && !targets.containsKey(at.fileId())) {
        targets.put(at.fileId(), target(at.fileId()));
        LogContents.requireFewFiles(targets.size(), layout);
      }
    }
    FileSearch search = new FileSearch(disk, settings);
    Map<Entry, Path> missing = new HashMap<>();
    for (Target target : targets.values()) {
      Entry entry = target.entry;
      Path path = target.path;
      if (entry != null && path != null && settings.rootOf(path) != null && !mayBeStale(path)) {
        Place place = search.atItsName(entry, path);
        if (place == null) {
          missing.put(entry, path);
        } else {
          replayAt(target, place, lastMillis);
        }
      }
    }
    if (!missing.isEmpty()) {
      search.run(missing);
      for (Target target : targets.values()) {
        Entry entry = target.entry;
        Path path = entry == null ? null : missing.get(entry);
        if (entry != null && path != null) {
          decide(target, search, entry, path, lastMillis);
        }
      }
    }
  }

  /** Of a file that lacks its name. */
  private void decide(Target target, FileSearch search, Entry entry, Path path, long lastMillis)
      throws IOException {
    Place place = search.place(entry);
    if (place != null) {
      target.renamed = true;
      replayAt(target, place, lastMillis);
    } else if (hasAllInPageCache(path) && search.isGone(entry, path)) {
      target.fate = Fate.DROP;
    }
  }

  private void replayAt(Target target, Place place, long lastMillis) throws IOException {
    target.path = place.path();
    try {
      target.file = disk.openOwn(place.path());
    } catch (FileSystemException e) {
      requireOwnFault(e);
      return; // It may not be written any more, which is no reason to keep the others lost.
    }
    target.fate = Fate.REPLAY;
    if (place.identity().modifiedMillis() - SLACK_MILLIS > lastMillis) {
      modified.add(place.path().toString());
    }
  }

  /** Returns whether all that returned was in the page cache, which is still the same one. */
  private boolean hasAllInPageCache(Path path) {
    long run = state.run();
    return run != BootId.UNKNOWN && run == disk.run(path);
  }

  /** Reads the log again, knowing what is void. */
  private LogScan rescan() throws IOException {
    LogScan first = found;
    return first == null ? LogScan.of(memory, layout) : first.again(memory, layout);
  }

  private Target target(long fileId) {
    Entry entry = table.get(fileId);
    return new Target(fileId, entry, entry == null ? null : path(entry.path()));
  }

  private @Nullable Path path(String name) {
    if (settings.roots().isEmpty()) {
      return null;
    }
    FileSystem files = settings.roots().get(0).getFileSystem();
    try {
      Path path = files.getPath(name);
      return path.isAbsolute() && path.equals(path.normalize()) ? path : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  /**
   * Returns whether the log may be older than the files: it does not outlive a loss of power, and
   * was used before the last one. What the system wrote back of it in time may be of before a sync
   * that brought newer bytes to the disk.
   */
  private boolean mayBeStale(Path path) {
    long used = state.boot();
    return used != BootId.UNKNOWN && used != disk.run(path);
  }

  private RecoveryReport replay() throws IOException {
    while (true) {
      try {
        return replayAll();
      } catch (RecordReplay.Unplaced e) {
        e.target().fate = Fate.ORPHAN; // Again: what was replayed is replayed to the same bytes.
        replay.forget();
        for (Target target : targets.values()) {
          target.closeOrphan();
        }
        orphans.clear();
      }
    }
  }

  private RecoveryReport replayAll() throws IOException {
    long records = 0;
    long bytes = 0;
    LogScan scan = rescan();
    for (Cursor at = scan.nextChange(); at != null; at = scan.nextChange()) {
      heartbeat();
      Target target = targets.get(at.fileId());
      if (target == null) {
        throw new IllegalStateException("the log changed while it was recovered");
      }
      if (target.fate == Fate.ORPHAN) {
        orphanOf(target).add(at);
      } else if (target.fate == Fate.REPLAY) {
        replay.add(at, target);
        records++;
        bytes += at.length();
      }
    }
    replay.write();
    finish();
    return report(records, bytes, scan);
  }

  /**
   * Continues without a file only if that file is at fault itself. A disk that is full, read-only
   * or broken for now is repaired, and the log has to hold everything until then.
   */
  private static void requireOwnFault(FileSystemException e) throws FileSystemException {
    boolean isOwn = e instanceof AccessDeniedException || NOT_PERMITTED.equals(e.getReason());
    if (!isOwn) {
      throw e;
    }
  }

  /** Lets a recovery that comes after a crash of this one know who modified the files. */
  private void heartbeat() throws IOException {
    state.beat(clockMillis.getAsLong());
  }

  private Orphan orphanOf(Target target) throws IOException {
    Orphan orphan = target.orphan;
    if (orphan == null) {
      orphan = Orphan.create(disk, settings.orphans(), layout, epoch, target.fileId, target.name());
      target.orphan = orphan;
      orphans.add(orphan.path().toString());
    }
    return orphan;
  }

  private void finish() throws IOException {
    for (Target target : targets.values()) {
      if (target.fate != Fate.REPLAY && target.path != null) {
        syncNames(target.path); // A loss of power must not bring it back without its bytes.
      }
      if (target.orphan != null) {
        target.orphan.finish();
      }
      if (target.file != null) {
        if (target.cutLength != Target.NOT_CUT) {
          // Cutting it again changes nothing, and what the first cut left in its last block may
          // have been lost by a sync that failed.
          heartbeat();
          target.file.touch(target.cutLength);
        }
        target.file.force();
        syncNames(target.requirePath());
      }
    }
    state.beginNextEpoch();
  }

  private void syncNames(Path path) throws IOException {
    for (Path directory : settings.directoriesOf(path)) {
      if (disk.device(directory) != null) {
        disk.syncDirectory(directory);
      }
    }
  }
}
