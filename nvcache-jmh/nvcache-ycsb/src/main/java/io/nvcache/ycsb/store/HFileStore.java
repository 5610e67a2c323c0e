// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import io.nvcache.Source;
import io.nvcache.hbase.blocks.ThreadSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import site.ycsb.DB;

/**
 * A key-value store over HFiles on the local disk, for driving YCSB through HBase's own block
 * reader and the caches next to it.
 *
 * <p>Records are loaded into files of disjoint key ranges; updates gather in memory, are flushed to
 * new files and merged with older ones. The blocks of new files are offered to the second tier,
 * dead files' are forgotten. Disk reads pass by the page cache where the file system lets them, so
 * that a miss of all tiers is a disk read.
 *
 * <p>Nothing survives the process: there is no log, and {@link #close} deletes all files.
 * Thread-safe.
 */
public final class HFileStore implements AutoCloseable {
  private static final int KEY_LOCKS = 1024;
  private static final String PREFIX = "nvcache-ycsb-";

  private final StoreOptions options;
  private final Path directory;
  private final TableFiles files;
  private final RecordCodec codec;
  private final LsmTree tree;
  private final LongAdder wrongValues = new LongAdder();
  private final Object[] keyLocks = new Object[KEY_LOCKS];

  private HFileStore(
      StoreOptions options,
      Path directory,
      TableFiles files,
      List<List<Path>> runs,
      io.nvcache.@Nullable BlockCache secondTier)
      throws IOException {
    this.options = options;
    this.directory = directory;
    this.files = files;
    this.codec = new RecordCodec(options.fieldCount());
    for (int i = 0; i < KEY_LOCKS; i++) {
      keyLocks[i] = new Object();
    }
    CacheTiers tiers = new CacheTiers(files.configuration(), options, secondTier);
    List<SortedRun> opened = new ArrayList<>();
    for (List<Path> run : runs) {
      opened.add(new SortedRun(files.open(run, tiers)));
    }
    this.tree = new LsmTree(files, options, tiers, opened);
  }

  /**
   * Makes a store and loads it with the records that YCSB's CoreWorkload expects (see {@link
   * StoreOptions#workloadProperties}).
   *
   * @param parent where the store makes its own directory, which it deletes when closed
   * @param options the store's shape
   * @param secondTier the cache below the DRAM tier, or null for none; stays its owner's to close
   * @param progress hears now and then, and at the end, how many records are written so far
   */
  public static HFileStore load(
      Path parent,
      StoreOptions options,
      io.nvcache.@Nullable BlockCache secondTier,
      LongConsumer progress)
      throws IOException {
    Path directory = Files.createTempDirectory(parent, PREFIX);
    try {
      return load(options, secondTier, progress, directory, DirectIo.probe(directory));
    } catch (IOException | RuntimeException e) {
      deleteTree(directory);
      throw e;
    }
  }

  /** Loads into a directory that exists, reading in the manner given. */
  static HFileStore load(
      StoreOptions options,
      io.nvcache.@Nullable BlockCache secondTier,
      LongConsumer progress,
      Path directory,
      DirectIo directIo)
      throws IOException {
    TableFiles files = new TableFiles(directory, directIo, options.blockBytes());
    List<Path> loaded = new Loader(options, files, progress).load();
    return new HFileStore(options, directory, files, List.of(loaded), secondTier);
  }

  /**
   * Makes another store with the files that this one has now, and its own caches and counters. What
   * is in memtables is not in it. The two share bytes on the disk but no names, so that each may
   * merge and delete its files.
   *
   * @param cache the cache below the DRAM tier, or null for none; stays its owner's to close
   */
  public HFileStore fork(io.nvcache.@Nullable BlockCache cache) throws IOException {
    Path own = Files.createTempDirectory(directory.getParent(), PREFIX);
    Snapshot now = tree.hold();
    try {
      TableFiles ownFiles = new TableFiles(own, files.directIo().again(), options.blockBytes());
      List<List<Path>> runs = new ArrayList<>();
      for (SortedRun run : now.runs()) {
        List<Path> links = new ArrayList<>();
        for (TableFile file : run.files()) {
          links.add(linkOrCopy(file.path(), ownFiles.newPath()));
        }
        runs.add(links);
      }
      return new HFileStore(options, own, ownFiles, runs, cache);
    } catch (IOException | RuntimeException e) {
      deleteTree(own);
      throw e;
    } finally {
      now.release();
    }
  }

  private static Path linkOrCopy(Path file, Path name) throws IOException {
    try {
      return Files.createLink(name, file);
    } catch (UnsupportedOperationException | FileSystemException e) {
      return Files.copy(file, name);
    }
  }

  /** Whether reads go to the disk past the page cache. */
  public DirectIoStatus directIo() {
    return files.directIo().status();
  }

  /** Reads of the disk since the load, compactions' included. */
  public long diskReads() {
    return files.directIo().reads();
  }

  /** Bytes read from the disk since the load, alignment and compactions included. */
  public long diskReadBytes() {
    return files.directIo().readBytes();
  }

  /**
   * How long reads of the disk waited for it, in nanoseconds, since the load: the time that they
   * took less their threads' processor time.
   */
  public Histogram diskWaitNanos() {
    return files.directIo().waitNanos();
  }

  /** Compactions that have committed since the load. */
  public long compactions() {
    return tree.compactions();
  }

  /** Bytes of all files that are read now. */
  public long dataBytes() {
    return overFiles(list -> list.stream().mapToLong(TableFile::lengthBytes).sum());
  }

  /** How many files are read now. */
  public long fileCount() {
    return overFiles(List::size);
  }

  private long overFiles(ToLongFunction<List<TableFile>> measure) {
    Snapshot now = tree.hold();
    try {
      return measure.applyAsLong(now.files());
    } finally {
      now.release();
    }
  }

  /** What the DRAM tier did since the store was loaded or forked. */
  public DramTierStats dramTier() {
    return tree.tiers().dramTierStats();
  }

  /**
   * A client for one YCSB thread. The thread must not be interrupted: that closes the file it
   * reads, for all threads.
   */
  public DB newClient() {
    return new YcsbDb(this);
  }

  /** Values that were read and were not what had been written. Never goes back to 0. */
  public long wrongValues() {
    return wrongValues.sum();
  }

  /**
   * Waits for the flushes and compactions that writes so far have begun, and for the hot blocks
   * that these have cached.
   */
  public void settle() throws IOException {
    tree.settle();
  }

  /** Stops the background work and deletes all files. */
  @Override
  public synchronized void close() throws IOException {
    tree.close();
    deleteTree(directory);
  }

  private static void deleteTree(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(directory)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  // What the clients do.

  RecordCodec codec() {
    return codec;
  }

  void countWrongValue() {
    wrongValues.increment();
  }

  static byte[] bytes(String key) {
    return key.getBytes(StandardCharsets.UTF_8);
  }

  /** The record under a key, packed, or null. */
  byte @Nullable [] get(byte[] key) throws IOException {
    tree.tiers().keyRead(key);
    Snapshot now = tree.hold();
    try (ThreadSource scope = ThreadSource.enter(Source.READ)) { // As a region server's gets do.
      return now.get(key);
    } finally {
      now.release();
    }
  }

  /** Up to {@code limit} records from a key on. */
  List<Map.Entry<byte[], byte[]>> scan(byte[] from, int limit) throws IOException {
    List<Map.Entry<byte[], byte[]>> found = new ArrayList<>();
    Snapshot now = tree.hold();
    try (RecordCursor records = now.from(from)) {
      while (found.size() < limit && records.next()) {
        found.add(Map.entry(records.key(), records.value()));
      }
    } finally {
      now.release();
    }
    return found;
  }

  /** Puts a packed record under a key. */
  void put(byte[] key, byte[] record) throws IOException {
    tree.put(key, record);
  }

  /** What to hold while a record is read, changed and put again. */
  Object lockOf(byte[] key) {
    return keyLocks[Math.floorMod(Arrays.hashCode(key), KEY_LOCKS)];
  }

  /**
   * What the DRAM tier did since the store was loaded or forked.
   *
   * @param hits block reads it answered
   * @param misses block reads it passed on
   * @param bytes heap that it takes now
   */
  public record DramTierStats(long hits, long misses, long bytes) {}
}
