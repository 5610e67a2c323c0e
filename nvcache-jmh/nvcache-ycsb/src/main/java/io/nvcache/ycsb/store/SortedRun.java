// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Files of one flush, load or compaction: ascending, with no key in two of them. Immutable. */
final class SortedRun {
  private final List<TableFile> files;

  SortedRun(List<TableFile> files) {
    this.files = List.copyOf(files);
  }

  List<TableFile> files() {
    return files;
  }

  long lengthBytes() {
    return files.stream().mapToLong(TableFile::lengthBytes).sum();
  }

  /** The only file that can hold the key, or null. */
  @Nullable TableFile covering(byte[] key) {
    int at = firstEndingAtOrAfter(key);
    return at < files.size() && Arrays.compareUnsigned(files.get(at).firstKey(), key) <= 0
        ? files.get(at)
        : null;
  }

  private int firstEndingAtOrAfter(byte[] key) {
    int low = 0;
    int high = files.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (Arrays.compareUnsigned(files.get(middle).lastKey(), key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Walks over the records from a key on, through the caches. */
  RecordCursor from(byte[] key) {
    int start = firstEndingAtOrAfter(key);
    return new Cursor(files.subList(start, files.size()), file -> file.from(key));
  }

  /** Walks over all records for a compaction. */
  RecordCursor forCompaction() {
    return new Cursor(files, TableFile::forCompaction);
  }

  /** Opens a cursor over one file. */
  @FunctionalInterface
  private interface Opening {
    RecordCursor open(TableFile file) throws IOException;
  }

  /** Goes through files one by one, and opens each when it gets there. */
  private static final class Cursor implements RecordCursor {
    private final List<TableFile> files;
    private final Opening opening;
    private int nextFile;
    private @Nullable RecordCursor current;

    Cursor(List<TableFile> files, Opening opening) {
      this.files = files;
      this.opening = opening;
    }

    @Override
    public boolean next() throws IOException {
      while (current == null || !current.next()) {
        close();
        if (nextFile == files.size()) {
          return false;
        }
        current = opening.open(files.get(nextFile++));
      }
      return true;
    }

    @Override
    public byte[] key() {
      return standing().key();
    }

    @Override
    public byte[] value() {
      return standing().value();
    }

    private RecordCursor standing() {
      if (current == null) {
        throw new IllegalStateException("The cursor is at no record");
      }
      return current;
    }

    @Override
    public void close() {
      if (current != null) {
        current.close();
        current = null;
      }
    }
  }
}
