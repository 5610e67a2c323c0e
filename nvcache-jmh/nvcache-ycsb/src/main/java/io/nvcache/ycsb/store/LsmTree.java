// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import io.nvcache.Source;
import io.nvcache.hbase.blocks.ThreadSource;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.jspecify.annotations.Nullable;

/**
 * A log-structured merge tree, without the log: writes go to a memtable, full memtables become
 * files, and files that pile up are merged.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>{@link #current} is never null and is replaced under the write lock only. A reader
 *       {@linkplain Snapshot#hold holds} the snapshot it works on; no reader takes a lock.
 *   <li>A write holds the read lock while it puts, so that a memtable that was replaced is
 *       complete.
 *   <li>Only the background thread changes runs, so what a flush or compaction started from is
 *       still there when it ends.
 *   <li>At most {@link #MAX_WAITING_FLUSHES} full memtables exist; writers wait for a place.
 * </ul>
 */
final class LsmTree implements Closeable {
  private static final int MAX_WAITING_FLUSHES = 2;

  private final TableFiles files;
  private final long memtableBytes;
  private final int maxRuns;
  private final CacheTiers tiers;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Semaphore flushPlaces = new Semaphore(MAX_WAITING_FLUSHES);
  private final ExecutorService background =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "hfile-store-background");
            thread.setDaemon(true);
            return thread;
          });

  private final LongAdder compactions = new LongAdder();
  private volatile Snapshot current;
  private volatile @Nullable Throwable failure;
  private volatile boolean closed;

  /**
   * Opens a tree.
   *
   * @param tiers the caches
   * @param runs the files, the newest run first
   */
  LsmTree(TableFiles files, StoreOptions options, CacheTiers tiers, List<SortedRun> runs) {
    this.files = files;
    this.memtableBytes = options.memtableBytes();
    this.maxRuns = options.compactAtFiles();
    this.tiers = tiers;
    this.current = new Snapshot(List.of(new Memtable()), runs);
  }

  /** Holds the store as it is now; the caller releases it. Empty after {@link #close}. */
  Snapshot hold() {
    Snapshot snapshot = current;
    while (!snapshot.hold()) {
      snapshot = current;
    }
    return snapshot;
  }

  /**
   * Puts a record. Waits when full memtables are not flushed fast enough.
   *
   * @throws IOException if the background thread failed, now or earlier
   */
  void put(byte[] key, byte[] value) throws IOException {
    checkHealth();
    Memtable target;
    long bytes;
    lock.readLock().lock();
    try {
      target = current.newestMemtable();
      bytes = target.put(key, value);
    } finally {
      lock.readLock().unlock();
    }
    if (bytes >= memtableBytes) {
      flushLater(target);
    }
  }

  private void flushLater(Memtable full) throws IOException {
    if (current.newestMemtable() != full) {
      return;
    }
    try {
      flushPlaces.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while waiting for a flush");
    }
    boolean mine = false;
    lock.writeLock().lock();
    try {
      if (current.newestMemtable() == full) {
        List<Memtable> memtables = new ArrayList<>(current.memtables());
        memtables.add(0, new Memtable());
        install(new Snapshot(memtables, current.runs()));
        mine = true;
      }
    } finally {
      lock.writeLock().unlock();
    }
    if (mine) {
      background.execute(() -> flushAndCompact(full));
    } else {
      flushPlaces.release();
    }
  }

  private void flushAndCompact(Memtable full) {
    try {
      if (failure == null && !closed) {
        flush(full);
        compact();
      }
    } catch (IOException | RuntimeException | Error e) {
      failure = e; // thrown to the next writer
    } finally {
      flushPlaces.release();
    }
  }

  private void flush(Memtable full) throws IOException {
    List<TableFile> flushed;
    try (RecordCursor records = full.from(new byte[0])) {
      flushed = write(records, Source.FLUSH);
    }
    lock.writeLock().lock();
    try {
      List<Memtable> memtables = new ArrayList<>(current.memtables());
      memtables.remove(full);
      List<SortedRun> runs = new ArrayList<>(current.runs());
      runs.add(0, new SortedRun(flushed));
      install(new Snapshot(memtables, runs));
    } finally {
      lock.writeLock().unlock();
    }
  }

  private void compact() throws IOException {
    List<SortedRun> runs = current.runs();
    int chosen =
        CompactionChoice.newestRuns(runs.stream().map(SortedRun::lengthBytes).toList(), maxRuns);
    if (chosen == 0) {
      return;
    }
    List<SortedRun> merged = runs.subList(0, chosen);
    RecordCursor all = new MergeCursor(merged.stream().map(SortedRun::forCompaction).toList());
    List<TableFile> result;
    // A compaction that fails is dropped with the thread, its last.
    tiers.compactionBegins();
    try (RecordCursor records = all) {
      result = write(records, Source.COMPACTION);
    }
    List<SortedRun> next = new ArrayList<>(List.of(new SortedRun(result)));
    next.addAll(runs.subList(chosen, runs.size()));
    List<HStoreFile> inputs =
        merged.stream().flatMap(run -> run.files().stream()).map(TableFile::asInput).toList();
    List<HStoreFile> outputs = tiers.carriesHeat() ? asOutputs(result) : List.of();
    merged.forEach(run -> run.files().forEach(TableFile::retire));
    lock.writeLock().lock();
    try {
      install(new Snapshot(current.memtables(), next));
    } finally {
      lock.writeLock().unlock();
    }
    compactions.increment();
    tiers.compacted(inputs, outputs);
  }

  /** Opens their second readers, or closes the files, which no snapshot lists yet. */
  private static List<HStoreFile> asOutputs(List<TableFile> written) throws IOException {
    List<HStoreFile> outputs = new ArrayList<>();
    boolean done = false;
    try {
      for (TableFile file : written) {
        outputs.add(file.asOutput());
      }
      done = true;
      return outputs;
    } finally {
      if (!done) {
        written.forEach(TableFile::close);
      }
    }
  }

  /** Writes records to new files and opens these. */
  private List<TableFile> write(RecordCursor records, Source source) throws IOException {
    try (ThreadSource scope = ThreadSource.enter(source);
        TableWriter writer = new TableWriter(files, tiers.forWriters())) {
      while (records.next()) {
        checkHealth();
        byte[] key = records.key();
        tiers.keyWritten(key);
        writer.append(key, records.value());
      }
      return files.open(writer.finish(), tiers);
    }
  }

  /** Under the write lock. */
  private void install(Snapshot next) {
    Snapshot last = current;
    current = next;
    last.release();
  }

  /** Waits for the flushes and compactions that were begun, and for what these have cached. */
  void settle() throws IOException {
    checkHealth();
    try {
      background.submit(() -> {}).get();
      tiers.awaitCarried();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while files are written and cached");
    } catch (ExecutionException e) {
      throw new IOException("Could not wait for the background thread", e.getCause());
    }
  }

  /** How many compactions have committed. */
  long compactions() {
    return compactions.sum();
  }

  CacheTiers tiers() {
    return tiers;
  }

  private void checkHealth() throws IOException {
    Throwable reason = failure;
    if (reason != null) {
      throw new IOException("A flush or compaction failed; the store takes no more writes", reason);
    }
    if (closed) {
      throw new IOException("The store is closed");
    }
  }

  /**
   * Stops the background thread, giving up what it does, and closes the files as soon as no reader
   * holds them. Memtables are dropped; files stay on disk.
   */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    background.shutdown();
    boolean interrupted = false;
    while (!background.isTerminated()) {
      try {
        background.awaitTermination(1, TimeUnit.MINUTES);
      } catch (InterruptedException e) {
        interrupted = true; // the files must not be closed under a running compaction
      }
    }
    lock.writeLock().lock();
    try {
      install(new Snapshot(List.of(new Memtable()), List.of()));
      tiers.close();
    } finally {
      lock.writeLock().unlock();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
