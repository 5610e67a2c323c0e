// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The memtables and files that make up the store at one time. Lists never change; only the newest
 * memtable does. The files stay open while anyone holds the snapshot. Thread-safe.
 */
final class Snapshot {
  private final List<Memtable> memtables;
  private final List<SortedRun> runs;
  private final AtomicInteger holders = new AtomicInteger(1);

  /**
   * Takes hold of all files.
   *
   * @param memtables the newest, which takes the writes, first
   * @param runs the newest first
   */
  Snapshot(List<Memtable> memtables, List<SortedRun> runs) {
    this.memtables = List.copyOf(memtables);
    this.runs = List.copyOf(runs);
    files().forEach(TableFile::retain);
  }

  /** False if the snapshot is gone already. */
  boolean hold() {
    int now = holders.get();
    while (now > 0) {
      if (holders.compareAndSet(now, now + 1)) {
        return true;
      }
      now = holders.get();
    }
    return false;
  }

  void release() {
    if (holders.decrementAndGet() == 0) {
      files().forEach(TableFile::release);
    }
  }

  List<Memtable> memtables() {
    return memtables;
  }

  Memtable newestMemtable() {
    return memtables.get(0);
  }

  List<SortedRun> runs() {
    return runs;
  }

  List<TableFile> files() {
    List<TableFile> files = new ArrayList<>();
    runs.forEach(run -> files.addAll(run.files()));
    return files;
  }

  /** The record's value, or null if there is none. */
  byte @Nullable [] get(byte[] key) throws IOException {
    for (Memtable memtable : memtables) {
      byte[] value = memtable.get(key);
      if (value != null) {
        return value;
      }
    }
    for (int i = 0; i < runs.size(); i++) {
      TableFile file = runs.get(i).covering(key);
      // The oldest run is asked without its filter: most keys that get there are in it.
      boolean oldest = i == runs.size() - 1;
      if (file != null && (oldest || file.mayHold(key))) {
        byte[] value = file.get(key);
        if (value != null) {
          return value;
        }
      }
    }
    return null;
  }

  /** Walks over the records from a key on. */
  RecordCursor from(byte[] key) {
    List<RecordCursor> cursors = new ArrayList<>();
    memtables.forEach(memtable -> cursors.add(memtable.from(key)));
    runs.forEach(run -> cursors.add(run.from(key)));
    return new MergeCursor(cursors);
  }
}
