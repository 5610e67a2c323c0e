// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.DataInput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.BloomFilter;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.jspecify.annotations.Nullable;

/**
 * One HFile, open for reading through the caches.
 *
 * <p><b>Lifetime.</b> Each {@link Snapshot} that lists the file holds a reference. With the last
 * one the reader is closed and its blocks are forgotten, which must not happen earlier: a reader
 * that is still on its way could offer one of them afterwards. Thread-safe.
 */
final class TableFile {
  private final Path path;
  private final TableFiles files;
  private final CacheTiers tiers;
  private final HFile.Reader reader;
  private final @Nullable BloomFilter bloomFilter;
  private final byte[] firstKey;
  private final byte[] lastKey;
  private final AtomicInteger references = new AtomicInteger();

  /** What the second tier knows the file by in compactions; has a reader if it is an output. */
  private final HStoreFile storeFile;

  private volatile boolean retired;

  private TableFile(Path path, TableFiles files, CacheTiers tiers, HFile.Reader reader)
      throws IOException {
    this.path = path;
    this.files = files;
    this.tiers = tiers;
    this.reader = reader;
    this.storeFile = files.storeFile(path, tiers.forCompactions());
    this.firstKey = reader.getFirstRowKey().orElseThrow(() -> new IOException(path + " is empty"));
    this.lastKey = reader.getLastRowKey().orElseThrow(() -> new IOException(path + " is empty"));
    DataInput bloomMeta = reader.getGeneralBloomFilterMetadata();
    this.bloomFilter =
        bloomMeta == null ? null : BloomFilterFactory.createFromMeta(bloomMeta, reader);
  }

  static TableFile open(Path path, TableFiles files, CacheTiers tiers) throws IOException {
    tiers.register(path.getFileName().toString(), Files.size(path));
    HFile.Reader reader = files.reader(path, tiers.forReaders());
    try {
      return new TableFile(path, files, tiers, reader);
    } catch (IOException | RuntimeException e) {
      reader.close(false);
      throw e;
    }
  }

  Path path() {
    return path;
  }

  byte[] firstKey() {
    return firstKey;
  }

  byte[] lastKey() {
    return lastKey;
  }

  long lengthBytes() {
    return reader.length();
  }

  /** False if the file certainly does not hold the key; may read a block of the Bloom filter. */
  boolean mayHold(byte[] key) {
    return bloomFilter == null || bloomFilter.contains(key, 0, key.length, null);
  }

  /** The record's value, or null. */
  byte @Nullable [] get(byte[] key) throws IOException {
    if (Arrays.compareUnsigned(key, firstKey) < 0 || Arrays.compareUnsigned(key, lastKey) > 0) {
      return null;
    }
    try (HFileScanner scanner = reader.getScanner(files.configuration(), true, true, false)) {
      return scanner.seekTo(Cells.key(key)) == 0 ? CellUtil.cloneValue(scanner.getCell()) : null;
    }
  }

  /** Walks over the records from a key on, through the caches. */
  RecordCursor from(byte[] key) {
    return new HFileCursor(reader.getScanner(files.configuration(), true, true, false), key);
  }

  /**
   * Walks over all records in a compaction: it reads each block of a dying file once, which should
   * count as no hit or miss.
   */
  RecordCursor forCompaction() throws IOException {
    HFile.Reader own = files.reader(path, tiers.forCompactions());
    HFileScanner scanner = own.getScanner(files.configuration(), false, true, true);
    return new HFileCursor(scanner, null) {
      @Override
      public void close() {
        super.close();
        closeReader(own);
      }
    };
  }

  /** Returns the file as an input of a compaction. */
  HStoreFile asInput() {
    return storeFile;
  }

  /**
   * Returns the file as an output of a compaction, of which blocks are read back until it is
   * closed.
   */
  HStoreFile asOutput() throws IOException {
    storeFile.initReader();
    return storeFile;
  }

  /** Has the file deleted after its last reader. */
  void retire() {
    retired = true;
  }

  void retain() {
    references.incrementAndGet();
  }

  void release() {
    if (references.decrementAndGet() == 0) {
      close();
    }
  }

  /** Closes the file, which no snapshot lists. */
  void close() {
    closeReader(reader);
    closeStoreFile();
    tiers.evict(path.getFileName().toString());
    if (retired) {
      try {
        Files.deleteIfExists(path);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void closeStoreFile() {
    try {
      storeFile.closeStoreFile(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void closeReader(HFile.Reader reader) {
    try {
      reader.close(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Walks over one HFile. */
  private static class HFileCursor implements RecordCursor {
    private final HFileScanner scanner;
    private final byte @Nullable [] from;
    private boolean started;

    /**
     * Takes over a scanner.
     *
     * @param from the first key, or null for the start of the file
     */
    HFileCursor(HFileScanner scanner, byte @Nullable [] from) {
      this.scanner = scanner;
      this.from = from;
    }

    @Override
    public boolean next() throws IOException {
      if (started) {
        return scanner.next();
      }
      started = true;
      return from == null ? scanner.seekTo() : seekAtOrAfter(from);
    }

    private boolean seekAtOrAfter(byte[] key) throws IOException {
      int position = scanner.seekTo(Cells.key(key));
      if (position > 0) {
        return scanner.next(); // it stands on the last record before the key
      }
      if (position == 0 || position == HConstants.INDEX_KEY_MAGIC) {
        return true; // on the key, or on the first record of a block that starts after it
      }
      return scanner.seekTo(); // the key is before the file's first
    }

    @Override
    public byte[] key() {
      return CellUtil.cloneRow(current());
    }

    @Override
    public byte[] value() {
      return CellUtil.cloneValue(current());
    }

    private Cell current() {
      return scanner.getCell();
    }

    @Override
    public void close() {
      scanner.close();
    }
  }
}
