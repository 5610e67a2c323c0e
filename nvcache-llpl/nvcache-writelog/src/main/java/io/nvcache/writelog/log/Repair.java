// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.disk.DiskFile;
import io.nvcache.writelog.format.LogRecord;
import io.nvcache.writelog.format.LogScan;
import io.nvcache.writelog.format.LogScan.Cursor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Writes what the log holds of a file again, after a sync failed: the pages count as clean then,
 * though the disk may not have them. It goes from the newest record to the oldest and writes each
 * byte once, so that a reader sees no older bytes while it runs.
 */
final class Repair {
  private static final int ZEROS_BYTES = 64 << 10;

  private record Change(int type, long offset, ByteBuffer bytes) {}

  private final DiskFile file;

  /** Lets a recovery know who modified the file: syncs before may have hung. */
  private final LogEngine engine;

  /** From the beginning of each range that was written to its end. */
  private final TreeMap<Long, Long> written = new TreeMap<>();

  private Repair(DiskFile file, LogEngine engine) {
    this.file = file;
    this.engine = engine;
  }

  /** Returns once the bytes are on the disk. The caller holds the file and drains. */
  static void run(LogEngine engine, LoggedFile logged) throws IOException {
    List<Change> changes = new ArrayList<>();
    LogScan scan = engine.scan();
    for (Cursor at = scan.nextChange(); at != null; at = scan.nextChange()) {
      if (at.fileId() == logged.id()) {
        changes.add(new Change(at.type(), at.offset(), at.payload()));
      }
    }
    DiskFile file = logged.file();
    new Repair(file, engine).write(changes, logged.size());
    file.force();
  }

  private void write(List<Change> changes, long length) throws IOException {
    long size = length;
    for (int i = changes.size() - 1; i >= 0; i--) {
      Change change = changes.get(i);
      if (change.type() == LogRecord.WRITE) {
        // What a later record cut off is not there any more.
        long end = Math.min(change.offset() + change.bytes().remaining(), size);
        cover(change.offset(), end, change.bytes());
      } else {
        cover(change.offset(), size, null);
        engine.heartbeat();
        file.touch(
            Math.min(change.offset(), size)); // Nothing is behind the last cut to be covered.
        size = Math.min(size, change.offset());
      }
    }
  }

  /** Writes the parts of a range that no newer record wrote; zeros without bytes. */
  private void cover(long begin, long end, @Nullable ByteBuffer bytes) throws IOException {
    long at = begin;
    while (at < end) {
      Map.Entry<Long, Long> before = written.floorEntry(at);
      if (before != null && before.getValue() > at) {
        at = before.getValue();
        continue;
      }
      Long next = written.higherKey(at);
      long stop = next == null ? end : Math.min(end, next);
      if (bytes == null) {
        zero(at, stop);
      } else {
        engine.heartbeat();
        file.write(bytes.slice((int) (at - begin), (int) (stop - at)), at);
      }
      written.put(at, stop);
      at = stop;
    }
  }

  private void zero(long begin, long end) throws IOException {
    for (long at = begin; at < end; ) {
      int n = (int) Math.min(end - at, ZEROS_BYTES);
      engine.heartbeat();
      file.write(ByteBuffer.allocate(n).asReadOnlyBuffer(), at);
      at += n;
    }
  }
}
