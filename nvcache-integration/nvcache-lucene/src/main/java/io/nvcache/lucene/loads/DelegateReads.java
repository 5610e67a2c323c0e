// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.loads;

import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.background.DaemonThread;
import io.nvcache.lucene.files.OpenedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads the blocks that are not cached. Threads that need one block at the same time share one read
 * of it, and adjacent blocks come with one request.
 *
 * <p>What is read ahead is offered to the cache once a reader takes it, as that reader's: the read
 * that a prefetch announces is no second use of the block. What no reader takes is offered last, as
 * what it was read ahead as.
 *
 * <p><b>Invariants.</b> A load is in the table until it is complete; one that was read ahead stays
 * there until a reader takes it or {@code maxAhead} later ones came. What is read carries the id of
 * the incarnation, so a load can't answer for another file. No thread waits for a load but while
 * another one is reading it.
 */
public final class DelegateReads {
  /** What one request to the delegate brings at most. */
  private static final int MAX_BLOCKS = 32;

  private static final int MAX_REQUEST_BYTES = 2 << 20;

  private static final int MAX_QUEUED = 256;
  private static final int IDLE_SECONDS = 5;
  private static final AtomicInteger THREADS = new AtomicInteger();

  private final ConcurrentMap<BlockName, Load> loads = new ConcurrentHashMap<>();

  /** What waits for a reader, the oldest first. Under its own monitor. */
  private final Map<Load, Ahead> ahead = new LinkedHashMap<>();

  private final int maxAhead;
  private final @Nullable ThreadPoolExecutor pool;
  private final LongAdder joined = new LongAdder();
  private final LongAdder requests = new LongAdder();
  private final LongAdder requestedBlocks = new LongAdder();
  private final LongAdder prefetchedBlocks = new LongAdder();
  private final LongAdder aheadFailures = new LongAdder();
  private final LongAdder aheadDropped = new LongAdder();

  private record Ahead(OpenedFile file, BlockName name, Load load, @Nullable Source source) {}

  public DelegateReads(int maxAhead, int threads) {
    this.maxAhead = maxAhead;
    this.pool = threads == 0 ? null : pool(threads);
  }

  private static ThreadPoolExecutor pool(int threads) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_QUEUED),
            DelegateReads::thread,
            (task, full) -> ((PoolTask) task).cancel());
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  private static Thread thread(Runnable work) {
    return DaemonThread.of("nvcache-lucene-prefetch-" + THREADS.incrementAndGet(), work);
  }

  /**
   * Reads a block that is not cached, and with the same request those after it that are wanted.
   *
   * @param delegate the calling thread's own
   * @param until the end of what is wanted, in bytes of the file
   * @param source what the blocks are offered as; null to offer none
   * @return the block, for reading by absolute positions alone
   */
  public ByteBuffer read(
      OpenedFile file, IndexInput delegate, long offset, long until, @Nullable Source source)
      throws IOException {
    int blocks = missingInARow(file, offset, until);
    BlockName name = new BlockName(file.id(), offset);
    Load own = null;
    if (blocks > 1 && !loads.containsKey(name)) {
      ReadAhead run = new ReadAhead(this, file, offset, blocks, source, true);
      publish(run);
      own = run.load(0);
      if (loads.get(name) != own) { // Another thread reads it, or has read it.
        run.cancel();
      }
    }
    Load mine = new Load(null);
    Load running = loads.putIfAbsent(name, mine);
    if (running == null) {
      return lead(file, delegate, name, mine, source);
    }
    ByteBuffer block = running.join();
    if (block == null) {
      return readAndOffer(file, delegate, offset, source, null);
    }
    if (running != own) {
      joined.increment();
    }
    if (running.isAhead() && take(name, running) && source != null) {
      file.offer(offset, block, source);
    }
    return block;
  }

  private ByteBuffer lead(
      OpenedFile file, IndexInput delegate, BlockName name, Load mine, @Nullable Source source)
      throws IOException {
    try {
      return readAndOffer(file, delegate, name.offset(), source, mine);
    } finally {
      mine.fail();
      loads.remove(name, mine);
    }
  }

  private ByteBuffer readAndOffer(
      OpenedFile file,
      IndexInput delegate,
      long offset,
      @Nullable Source source,
      @Nullable Load load)
      throws IOException {
    byte[] bytes = new byte[file.blockLength(offset)];
    requested(1);
    delegate.seek(offset);
    delegate.readBytes(bytes, 0, bytes.length, false);
    ByteBuffer block = ByteBuffer.wrap(bytes);
    if (load != null) {
      load.complete(block); // Who waits for it need not wait for the offer.
    }
    if (source != null) {
      file.offer(offset, block, source);
    }
    return block;
  }

  /**
   * Loads what is not cached of a range, on other threads.
   *
   * @param source what blocks are offered as that no reader takes; null to offer none of these
   * @return whether there was anything to load
   */
  public boolean prefetch(OpenedFile file, long from, long until, @Nullable Source source) {
    if (pool == null || file.file().isGone()) {
      return false;
    }
    int blockBytes = file.blockBytes();
    long first = from - from % blockBytes;
    int blocks = blocks(file, first, until);
    boolean any = false;
    int missing = 0;
    for (int i = 0; i <= blocks; i++) {
      long at = first + (long) i * blockBytes;
      if (i < blocks && isMissing(file, at)) {
        missing++;
        continue;
      }
      if (missing > 0) {
        any = true;
        prefetchedBlocks.add(missing);
        long begin = at - (long) missing * blockBytes;
        ReadAhead run = new ReadAhead(this, file, begin, missing, source, true);
        publish(run);
        pool.execute(run);
        missing = 0;
      }
    }
    return any;
  }

  /**
   * Loads adjacent blocks with one request, on the calling thread, and offers them.
   *
   * @param first the number of the first
   * @param wanted the blocks by number; the ones that are cached now are cleared
   * @return how many were cached so
   */
  public int load(OpenedFile file, int first, int blocks, BitSet wanted, Source source) {
    long from = (long) first * file.blockBytes();
    ReadAhead run = new ReadAhead(this, file, from, blocks, source, false);
    publish(run);
    run.run();
    int admitted = 0;
    for (int i = 0; i < run.blocks(); i++) {
      forget(run.name(i), run.load(i));
      ByteBuffer block = run.load(i).join();
      OfferResult result = block == null ? null : file.offer(run.name(i).offset(), block, source);
      if (result == OfferResult.ADMITTED || result == OfferResult.ALREADY_CACHED) {
        wanted.clear(first + i);
        admitted += result == OfferResult.ADMITTED ? 1 : 0;
      }
    }
    return admitted;
  }

  /** Runs a task on a thread of the pool, or cancels it. */
  public void execute(PoolTask task) {
    if (pool == null) {
      task.cancel();
    } else {
      pool.execute(task);
    }
  }

  /** Returns whether a block is neither cached nor being read. */
  public boolean isMissing(OpenedFile file, long offset) {
    return !loads.containsKey(new BlockName(file.id(), offset)) && !file.isCached(offset);
  }

  /** Returns how many of the blocks that are wanted are missing before the first that is not. */
  private int missingInARow(OpenedFile file, long offset, long until) {
    int wanted = blocks(file, offset, until);
    int missing = 1;
    while (missing < wanted && isMissing(file, offset + (long) missing * file.blockBytes())) {
      missing++;
    }
    return missing;
  }

  private static int blocks(OpenedFile file, long offset, long until) {
    long end = Math.min(until, file.lengthBytes());
    int blockBytes = file.blockBytes();
    long wanted = (end - offset + blockBytes - 1) / blockBytes;
    return (int) Math.max(1, Math.min(maxBlocks(blockBytes), wanted));
  }

  /** Returns how many blocks one request to the delegate brings at most. */
  public static int maxBlocks(int blockBytes) {
    return Math.max(1, Math.min(MAX_BLOCKS, MAX_REQUEST_BYTES / blockBytes));
  }

  private void publish(ReadAhead run) {
    for (int i = 0; i < run.blocks(); i++) {
      loads.putIfAbsent(run.name(i), run.load(i));
    }
  }

  /** Counts a request to the delegate that is about to be made. */
  void requested(int blocks) {
    requests.increment();
    requestedBlocks.add(blocks);
  }

  void forget(BlockName name, Load load) {
    loads.remove(name, load);
  }

  /** Takes a block that was read ahead out of the table; false if it is not there any more. */
  private boolean take(BlockName name, Load load) {
    boolean taken = loads.remove(name, load);
    synchronized (ahead) {
      ahead.remove(load);
    }
    return taken;
  }

  /** Keeps a block that was read ahead until a reader comes for it. */
  void keep(OpenedFile file, BlockName name, Load load, @Nullable Source source) {
    Ahead oldest = null;
    synchronized (ahead) {
      // Looked up under the monitor: who takes it comes here after it has left the table.
      if (loads.get(name) == load) {
        ahead.put(load, new Ahead(file, name, load, source));
        if (ahead.size() > maxAhead) {
          Iterator<Ahead> all = ahead.values().iterator();
          oldest = all.next();
          all.remove();
        }
      }
    }
    if (oldest != null) {
      drop(oldest);
    }
  }

  private void drop(Ahead oldest) {
    if (!loads.remove(oldest.name(), oldest.load())) {
      return; // A reader was faster.
    }
    ByteBuffer block = oldest.load().join();
    Source source = oldest.source();
    OfferResult result =
        source == null || block == null
            ? null
            : oldest.file().offer(oldest.name().offset(), block, source);
    if (result != OfferResult.ADMITTED && result != OfferResult.ALREADY_CACHED) {
      aheadDropped.increment();
    }
  }

  void aheadFailed() {
    aheadFailures.increment();
  }

  /** Returns how many blocks are being read, or are to be; those that wait for a reader are not. */
  public long pending() {
    return loads.values().stream().filter(load -> !load.isDone()).count();
  }

  public long joined() {
    return joined.sum();
  }

  public long requests() {
    return requests.sum();
  }

  public long requestedBlocks() {
    return requestedBlocks.sum();
  }

  public long prefetchedBlocks() {
    return prefetchedBlocks.sum();
  }

  public long aheadFailures() {
    return aheadFailures.sum();
  }

  public long aheadDropped() {
    return aheadDropped.sum();
  }

  public void close() {
    if (pool != null) {
      // No interrupt: it would close the file that a thread reads, for all who read it.
      pool.shutdown();
      List<Runnable> waiting = new ArrayList<>();
      pool.getQueue().drainTo(waiting);
      waiting.forEach(task -> ((PoolTask) task).cancel());
    }
    loads.clear();
    synchronized (ahead) {
      ahead.clear();
    }
  }
}
