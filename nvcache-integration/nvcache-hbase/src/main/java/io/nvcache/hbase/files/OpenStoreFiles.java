// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import io.nvcache.control.DataSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The store files that a region server serves, as the bypass of small data sets needs them.
 *
 * <p>Kept apart from the ids of blocks: when an operator clears the cache, the files are served all
 * the same. The two daughters of a split refer to a parent's file by one name, so a name is counted
 * as often as it was opened, and its bytes once. Thread-safe.
 */
public final class OpenStoreFiles {
  /** Ids of blocks are positive. */
  private static final long FIRST_ID = -1;

  private final DataSet dataSet;
  private final Map<String, Entry> entries = new HashMap<>();
  private long nextId = FIRST_ID;

  private static final class Entry {
    final long id;
    int opened;

    Entry(long id) {
      this.id = id;
    }
  }

  public OpenStoreFiles(DataSet dataSet) {
    this.dataSet = dataSet;
  }

  public synchronized void opened(String hfileName, long lengthBytes) {
    Entry entry =
        entries.computeIfAbsent(StoreFileNames.fileOf(hfileName), name -> new Entry(nextId--));
    entry.opened++;
    dataSet.register(entry.id, lengthBytes);
  }

  public synchronized void closed(String hfileName) {
    String file = StoreFileNames.fileOf(hfileName);
    Entry entry = entries.get(file);
    if (entry != null && --entry.opened == 0) {
      entries.remove(file);
      dataSet.unregister(entry.id);
    }
  }

  /** Returns whether a file is served. */
  public synchronized boolean contains(String hfileName) {
    return entries.containsKey(StoreFileNames.fileOf(hfileName));
  }
}
