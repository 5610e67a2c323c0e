// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tiered;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Blocks served from DRAM, else from a second tier, else from the store's files: a Caffeine cache
 * in front of a {@link BlockCache} in front of a {@link BlockLoader}, for stores without their own
 * DRAM cache.
 *
 * <p><b>Blocks are read-only views.</b> {@link #get} gives a view of the very bytes that the DRAM
 * tier keeps, with its own position and limit; it stays valid for as long as it is held, and
 * eviction doesn't touch it. Its byte order is big-endian.
 *
 * <p><b>Loads are joined.</b> Callers that want the same block at the same time share one load, run
 * by the first of them on its own thread with no lock held; a failure goes to all of them and isn't
 * remembered. A loader may ask this cache for other blocks: a thread that loads does not join
 * another's load, it reads such a block itself, so that no two loads wait for each other.
 *
 * <p><b>Invalidation.</b> After {@link #invalidate} or {@link #invalidateFile} has returned, no
 * {@code get} that begins returns bytes read before, and no load or offer that was in flight leaves
 * them in a tier. Callers that had joined such a load get its bytes: they asked before. What begins
 * after is taken as the new truth, so the host must not read or offer old bytes then.
 *
 * <p><b>How.</b> A load, an offer and an invalidation are each registered as the block's {@link
 * BlockOperation}, of which a block has at most one. An invalidation replaces the registered
 * operation, settles it, removes the block from both tiers, and only then ends; a {@code get} that
 * finds it reads the file and keeps nothing. If the replaced operation does not end in time, the
 * invalidation stays registered until it does, and then removes the block again. A whole file is
 * hidden by ending its {@link Incarnation}, in time that depends on the calls in flight and not on
 * the blocks cached; a background pass then frees the DRAM. An operation that does not end in time
 * costs its file the blocks in DRAM in the same way, since it may be yet to put its own there.
 */
public final class TieredBlockCache implements AutoCloseable {
  private static final int UNKNOWN_LENGTH = 0;

  private final DramTier dram;
  private final SecondTier second;
  private final BlockLoader loader;
  private final BlockBuffers buffers;
  private final Set<Source> dramSources;
  private final Incarnation.Table files = new Incarnation.Table();
  private final OperationsInFlight inFlight = new OperationsInFlight();
  private final long patienceNanos;
  private final LongSupplier nanoTime;
  private final LongAdder joinedLoads = new LongAdder();
  private final LongAdder separateLoads = new LongAdder();
  private final LongAdder loads = new LongAdder();
  private final LongAdder loadFailures = new LongAdder();
  private final LongAdder loadedBytes = new LongAdder();
  private final LongAdder busyOffers = new LongAdder();
  private volatile boolean closed;

  TieredBlockCache(TieredBlockCacheBuilder options) {
    buffers = new BlockBuffers(options.dramValues, options.maxDramBytes);
    dram = new DramTier(options.maxDramBytes, options.dramValues, options.executor);
    second = new SecondTier(options.secondTier, buffers);
    loader = options.loader;
    patienceNanos = options.patience.toNanos();
    nanoTime = options.nanoTime;
    dramSources = EnumSet.copyOf(options.dramSources);
  }

  /**
   * Starts the configuration of a tiered cache.
   *
   * @param maxDramBytes bytes that the DRAM tier may hold, its overhead per block included; 0 for
   *     none
   * @param loader reads the blocks that no tier has
   */
  public static TieredBlockCacheBuilder builder(long maxDramBytes, BlockLoader loader) {
    return new TieredBlockCacheBuilder(maxDramBytes, loader);
  }

  /**
   * Gets a block whose length the caller knows. One buffer of this length is made, filled by the
   * second tier or by a {@linkplain BlockLoader#load(long, long, ByteBuffer) loader that reads into
   * it}, and kept. A wrong length costs a copy and nothing else: the answer is the block.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @param lengthBytes the block's length as stored on disk, ≥ 1
   * @param source what the block is wanted for
   * @return a read-only view of the block
   * @throws IOException what the loader threw
   */
  public ByteBuffer get(long fileId, long offset, int lengthBytes, Source source)
      throws IOException {
    if (lengthBytes < 1) {
      throw new IllegalArgumentException(
          "length " + lengthBytes + " is below 1 byte; if it is unknown, leave it out");
    }
    return get(new BlockKey(fileId, offset), lengthBytes, source);
  }

  /**
   * Gets a block whose length the caller doesn't know. The second tier pins it, and it is copied
   * into a buffer of its size; while pins hold all the bytes they may, the block is loaded.
   *
   * @param fileId the file's incarnation
   * @param offset the block's first byte in the file, ≥ 0
   * @param source what the block is wanted for
   * @return a read-only view of the block
   * @throws IOException what the loader threw
   */
  public ByteBuffer get(long fileId, long offset, Source source) throws IOException {
    return get(new BlockKey(fileId, offset), UNKNOWN_LENGTH, source);
  }

  private ByteBuffer get(BlockKey key, int lengthBytes, Source source) throws IOException {
    Objects.requireNonNull(source, "source");
    ByteBuffer cached = dram.get(key);
    if (cached != null) {
      return cached.duplicate();
    }
    inFlight.refuseToLoadWithinItself(key);
    Incarnation file = files.of(key.fileId()); // before the operation begins: see lead
    BlockLoad mine = new BlockLoad(key);
    if (dramSources.contains(source)) {
      mine.wantInDram();
    }
    boolean mayWait = !inFlight.isWithinOne();
    BlockOperation running = inFlight.tryBegin(mine);
    if (running == null) {
      return lead(mine, key, lengthBytes, source, file).duplicate();
    }
    if (mayWait && running instanceof BlockLoad load) {
      Patience patience = patience();
      joinedLoads.increment(); // After the clock was read: tests wait for the count.
      if (mine.isWantedInDram()) {
        load.wantInDram();
      }
      ByteBuffer joined = load.join(patience);
      if (joined != null) {
        return joined.duplicate();
      }
    }
    return loadSeparately(mine, lengthBytes);
  }

  /** Keeps out of the way of who offers, invalidates or loads the block, and keeps nothing. */
  private ByteBuffer loadSeparately(BlockLoad mine, int lengthBytes) throws IOException {
    separateLoads.increment();
    inFlight.enter(mine);
    try {
      return load(mine.key(), room(lengthBytes));
    } finally {
      inFlight.leave(mine);
    }
  }

  private Patience patience() {
    return new Patience(patienceNanos, nanoTime);
  }

  private ByteBuffer lead(
      BlockLoad mine, BlockKey key, int lengthBytes, Source source, Incarnation file)
      throws IOException {
    try {
      // invalidateFile and close first set their flag and then settle the operations they find.
      // Here the operation is registered before the flag is read, so one of the two sees the other.
      if (closed || file.isGone()) {
        mine.settle(patience());
        inFlight.remove(mine);
      }
      // The load before this one may have ended between our lookup and this operation.
      ByteBuffer block = dram.peek(key);
      if (block == null) {
        block = fetch(mine, key, lengthBytes, source, file);
      }
      mine.complete(block);
      return block;
    } catch (Throwable failure) {
      mine.fail(failure);
      throw failure;
    } finally {
      inFlight.remove(mine);
      inFlight.leave(mine);
    }
  }

  private ByteBuffer fetch(
      BlockLoad mine, BlockKey key, int lengthBytes, Source source, Incarnation file)
      throws IOException {
    ByteBuffer room = room(lengthBytes);
    ByteBuffer found = mine.isStale() ? null : second.get(key, room);
    ByteBuffer block = found != null ? found : load(key, room);
    if (mine.publish()) {
      try {
        if (mine.isWantedInDram()) {
          dram.put(key, block, file);
        }
        mine.complete(block); // the joined callers needn't wait for the offer
        if (found == null) {
          second.offer(key, block.duplicate(), source);
        }
      } finally {
        mine.end();
      }
    }
    return block;
  }

  private @Nullable ByteBuffer room(int lengthBytes) {
    return lengthBytes == UNKNOWN_LENGTH ? null : buffers.allocate(lengthBytes);
  }

  private ByteBuffer load(BlockKey key, @Nullable ByteBuffer room) throws IOException {
    loads.increment();
    try {
      ByteBuffer block =
          room == null
              ? loader.load(key.fileId(), key.offset())
              : loader.load(key.fileId(), key.offset(), room.clear());
      if (block == null) {
        throw new NullPointerException(
            "the loader "
                + loader.getClass().getName()
                + " gave null for "
                + key
                + "; return the block, or throw an IOException");
      }
      if (!block.hasRemaining()) {
        throw new IOException(
            "the loader gave an empty buffer for "
                + key
                + "; is it the end of the file, or did it forget flip()?");
      }
      loadedBytes.add(block.remaining());
      return buffers.keep(block, room);
    } catch (Throwable failure) {
      loadFailures.increment();
      throw failure;
    }
  }

  /**
   * Suggests a block that was written, not read, to the second tier, and puts it into the DRAM tier
   * if this {@code source} {@linkplain TieredBlockCacheBuilder#dramSources enters that}. The
   * buffer's position stays, and it may be reused as soon as the method returns.
   *
   * @return what the second tier says, CLOSED if there is none; MEDIUM_BUSY if the same block is
   *     being loaded, offered or invalidated right now, counted in {@link TieredStats#busyOffers};
   *     NOT_WORTH_IT if its file is being invalidated
   * @throws IllegalArgumentException if {@code offset} is negative or {@code block} is empty
   */
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    Objects.requireNonNull(block, "block");
    Objects.requireNonNull(source, "source");
    if (!block.hasRemaining()) {
      throw new IllegalArgumentException(
          "the block at offset "
              + offset
              + " of file "
              + fileId
              + " is empty; offer at least a byte; did you forget flip()?");
    }
    BlockKey key = new BlockKey(fileId, offset);
    Incarnation file = files.of(fileId); // before the operation begins, as in get
    BlockOperation mine = BlockOperation.publishing(key);
    if (inFlight.tryBegin(mine) != null) {
      busyOffers.increment();
      return OfferResult.MEDIUM_BUSY;
    }
    try {
      if (closed) {
        return OfferResult.CLOSED;
      }
      if (file.isGone()) {
        return OfferResult.NOT_WORTH_IT;
      }
      if (dramSources.contains(source)) {
        dram.put(key, buffers.copy(block), file);
      }
      return second.offer(key, block, source);
    } finally {
      mine.end();
      inFlight.remove(mine);
      inFlight.leave(mine);
    }
  }

  /**
   * Forgets one block, because its place in the file was freed. Waits for a running offer of this
   * block, never for a load, and no longer than {@link TieredBlockCacheBuilder#patience}: the block
   * of an offer that takes longer stays out of use until it ends, and is taken out then; the file's
   * other blocks leave the DRAM tier as well.
   *
   * @return whether a tier had it
   * @throws IllegalArgumentException if {@code offset} is negative
   * @throws IllegalStateException if the calling thread is putting a block in, and would wait for
   *     itself: a policy of the second tier, or an executor that runs on its caller's thread
   */
  public boolean invalidate(long fileId, long offset) {
    BlockKey key = new BlockKey(fileId, offset);
    inFlight.refuseToWaitForItself("invalidate");
    BlockOperation mine = BlockOperation.publishing(key);
    Patience patience = patience();
    BlockOperation running = inFlight.begin(mine);
    boolean settled = running == null;
    try {
      if (running != null) {
        settled =
            running.settle(patience); // Another invalidation as well: it may wait for an offer.
      }
      return forget(key);
    } finally {
      inFlight.leave(mine);
      if (running == null || settled) {
        end(mine);
      } else {
        running.whenOver(() -> forgetAndEnd(mine));
        hideInDram(fileId); // The offer may be yet to put the block in, and be long to end.
      }
    }
  }

  /** Ends the file's incarnation, which all that is in flight puts its blocks into DRAM under. */
  private void hideInDram(long fileId) {
    Incarnation file = files.of(fileId);
    file.end();
    files.forget(fileId, file);
    dram.sweep();
  }

  private boolean forget(BlockKey key) {
    boolean inDram = dram.remove(key);
    boolean inSecond = second.invalidate(key);
    return inDram || inSecond;
  }

  private void forgetAndEnd(BlockOperation mine) {
    try {
      forget(mine.key());
    } finally {
      end(mine);
    }
  }

  private void end(BlockOperation mine) {
    mine.end();
    inFlight.remove(mine);
  }

  /**
   * Forgets every block of a file, because the file is gone. The DRAM of its blocks is freed soon
   * after, by one background pass over the tier's entries; an index of blocks by file would spare
   * the pass and cost memory and upkeep with every block. Who continues reading the file
   * afterwards, from an open handle, say, has it cached again until it is evicted. Waits as {@link
   * #invalidate} does.
   *
   * @throws IllegalStateException as there
   */
  public void invalidateFile(long fileId) {
    inFlight.refuseToWaitForItself("invalidateFile");
    Incarnation file = files.of(fileId);
    file.end();
    Patience patience = patience();
    inFlight.forEach(
        operation -> {
          if (operation.key().fileId() == fileId) {
            settle(operation, patience);
          }
        });
    second.invalidateFile(fileId);
    files.forget(fileId, file);
    dram.sweep();
  }

  /** Replaces an operation that does not end in time by one that undoes it when it does. */
  private void settle(BlockOperation operation, Patience patience) {
    if (operation.settle(patience)) {
      inFlight.remove(operation);
      return;
    }
    BlockOperation after = BlockOperation.publishing(operation.key());
    if (inFlight.replace(operation, after)) {
      operation.whenOver(() -> forgetAndEnd(after));
    }
  }

  /** Returns how many operations are in flight, plus the number of threads that run them. */
  int operationsInFlight() {
    return inFlight.size();
  }

  /** Returns a snapshot of everything counted. */
  public TieredStats stats() {
    com.github.benmanes.caffeine.cache.stats.CacheStats counted = dram.stats();
    return new TieredSnapshot(
        counted.hitCount(),
        counted.missCount(),
        counted.evictionCount(),
        counted.evictionWeight(),
        dram.blocks(),
        dram.bytes(),
        dram.maxBytes(),
        joinedLoads.sum(),
        separateLoads.sum(),
        loads.sum(),
        loadFailures.sum(),
        loadedBytes.sum(),
        busyOffers.sum(),
        buffers.onHeapForWantOfDirect(),
        second.stats());
  }

  /**
   * Empties the DRAM tier and closes the second. Later gets go to the loader and keep nothing,
   * later offers answer CLOSED. Closing again does nothing. Waits for offers as {@link #invalidate}
   * does.
   *
   * @throws IllegalStateException as there
   */
  @Override
  public void close() {
    inFlight.refuseToWaitForItself("close");
    closed = true;
    Patience patience = patience();
    inFlight.forEach(operation -> settle(operation, patience));
    dram.clear();
    second.close();
  }
}
