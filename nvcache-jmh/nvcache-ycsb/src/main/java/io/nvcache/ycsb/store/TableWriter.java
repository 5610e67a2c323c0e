// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.hadoop.hbase.util.BloomFilterWriter;
import org.jspecify.annotations.Nullable;

/**
 * Writes records, in ascending order, to as many new files as they need. Unless it is {@linkplain
 * #finish finished}, closing it deletes them. For one thread.
 */
final class TableWriter implements Closeable {
  private static final long TARGET_FILE_BYTES = 32L << 20;

  private final TableFiles files;
  private final CacheConfig caches;
  private final List<Path> paths = new ArrayList<>();
  private @Nullable OpenFile open;
  private boolean finished;

  TableWriter(TableFiles files, CacheConfig caches) {
    this.files = files;
    this.caches = caches;
  }

  void append(byte[] key, byte[] value) throws IOException {
    if (open == null) {
      Path path = files.newPath();
      paths.add(path);
      open = new OpenFile(path, files.writer(path, caches), files, caches);
    }
    open.append(Cells.of(key, value));
    if (open.bytes >= TARGET_FILE_BYTES) {
      finishFile(open);
    }
  }

  /** Ends the last file and returns all of them, in order; none if there were no records. */
  List<Path> finish() throws IOException {
    if (open != null) {
      finishFile(open);
    }
    finished = true;
    return paths;
  }

  private void finishFile(OpenFile file) throws IOException {
    file.finish();
    open = null;
  }

  @Override
  public void close() throws IOException {
    if (finished) {
      return;
    }
    try {
      if (open != null) {
        open.writer.close();
      }
    } finally {
      TableFiles.delete(paths);
    }
  }

  /** The file being written. */
  private static final class OpenFile {
    private final Path path;
    private final HFile.Writer writer;
    private final BloomFilterWriter bloomFilter;
    private long bytes;

    OpenFile(Path path, HFile.Writer writer, TableFiles files, CacheConfig caches) {
      this.path = path;
      this.writer = writer;
      this.bloomFilter =
          BloomFilterFactory.createGeneralBloomAtWrite(
              files.configuration(), caches, BloomType.ROW, Integer.MAX_VALUE, writer);
    }

    void append(KeyValue cell) throws IOException {
      bloomFilter.append(cell);
      writer.append(cell);
      bytes += cell.getLength();
    }

    void finish() throws IOException {
      bloomFilter.compactBloom();
      writer.addGeneralBloomFilter(bloomFilter);
      writer.close();
      // A direct read of pages that are not on disk yet would have to write them first.
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
  }
}
