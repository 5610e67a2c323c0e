// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStoreFile;

/**
 * HFiles of numbered rows, and the bytes that were read of any. Reads go through the page cache,
 * which flatters whatever reads files most, unless they are delayed.
 */
final class StoreFiles {
  private static final int FILE_BYTES = 16 << 20;
  private static final int VALUE_BYTES = 200;

  /** With what a cell adds to its value. */
  private static final int ROW_BYTES = VALUE_BYTES + 40;

  static final int ROWS_PER_FILE = FILE_BYTES / ROW_BYTES;
  private static final byte[] FAMILY = {'f'};
  private static final byte[] QUALIFIER = {'q'};

  /** Asked for once: all threads of the JVM wait for each other there. */
  private static final FileSystem.Statistics STATISTICS = statistics();

  private final java.nio.file.Path directory;
  private final Configuration configuration = new Configuration();
  private final DelayedFileSystem fileSystem;
  private final int blockBytes;

  StoreFiles(java.nio.file.Path directory, HBaseBenchSettings settings) throws IOException {
    this.directory = directory;
    this.blockBytes = settings.blockBytes();
    this.fileSystem = new DelayedFileSystem(new RawLocalFileSystem(), settings.delay());
    fileSystem.initialize(URI.create("file:///"), configuration);
  }

  @SuppressWarnings("deprecation") // What took its place tells classes of one scheme not apart.
  private static FileSystem.Statistics statistics() {
    return FileSystem.getStatistics("file", RawLocalFileSystem.class);
  }

  /** Delays the reads of all files from now on, or no more. */
  void delayReads(boolean on) {
    fileSystem.delayReads(on);
  }

  Configuration configuration() {
    return configuration;
  }

  /** Bytes that this process has read from local files through Hadoop. */
  static long bytesRead() {
    return STATISTICS.getBytesRead();
  }

  /** Bytes of them that the calling thread has read. */
  static long bytesReadByThread() {
    return STATISTICS.getThreadStatistics().getBytesRead();
  }

  /** Writes as many files as these bytes are, the first rows into the first. */
  List<Path> write(long bytes, int firstFile) throws IOException {
    List<Path> files = new ArrayList<>();
    for (int i = 0; i < countFor(bytes); i++) {
      files.add(write(firstFile + i, CacheConfig.DISABLED));
    }
    return files;
  }

  /** Returns how many files so many bytes are. */
  int countFor(long bytes) {
    return (int) Math.max(1, (bytes + FILE_BYTES - 1) / FILE_BYTES);
  }

  /** Returns a name that no file has; it is one that HBase gives store files as well. */
  Path newPath() {
    return newPathIn(directory);
  }

  /** Returns such a name in another directory. */
  Path newPathIn(java.nio.file.Path parent) {
    return new Path(parent.resolve(UUID.randomUUID().toString().replace("-", "")).toUri());
  }

  HFile.Writer create(Path path, CacheConfig caches) throws IOException {
    return HFile.getWriterFactory(configuration, caches)
        .withPath(fileSystem, path)
        .withFileContext(
            new HFileContextBuilder().withBlockSize(blockBytes).withHBaseCheckSum(true).build())
        .create();
  }

  /** Opens a file as a region does. */
  HStoreFile openStoreFile(Path path, CacheConfig caches) throws IOException {
    HStoreFile file = new HStoreFile(fileSystem, path, configuration, caches, BloomType.NONE, true);
    file.initReader();
    return file;
  }

  /** Writes the file of that number once more, under a new name. */
  Path write(int number, CacheConfig caches) throws IOException {
    return write(number, newPath(), caches);
  }

  /** Writes the file of that number under a name, which it returns. */
  Path write(int number, Path path, CacheConfig caches) throws IOException {
    try (HFile.Writer writer = create(path, caches)) {
      SplittableRandom random = new SplittableRandom(number);
      byte[] value = new byte[VALUE_BYTES];
      for (int i = 0; i < ROWS_PER_FILE; i++) {
        int row = number * ROWS_PER_FILE + i;
        random.nextBytes(value);
        ByteBuffer.wrap(value).putInt(row);
        writer.append(cell(row, value));
      }
    }
    return path;
  }

  static KeyValue cell(int row, byte[] value) {
    return new KeyValue(rowKey(row), FAMILY, QUALIFIER, 1, value);
  }

  HFile.Reader open(Path path, CacheConfig caches) throws IOException {
    return HFile.createReader(fileSystem, path, caches, true, configuration);
  }

  void delete(Path path) throws IOException {
    Files.deleteIfExists(java.nio.file.Path.of(path.toUri()));
  }

  static byte[] rowKey(int row) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(row).array();
  }

  static KeyValue firstOf(int row) {
    return new KeyValue(rowKey(row), FAMILY, QUALIFIER, 1, KeyValue.Type.Put);
  }
}
