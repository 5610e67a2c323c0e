// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

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
 * in front of a {@link BlockCache} in front of a {@link BlockLoader}, for stores that bring no DRAM
 * cache of their own.
 *
 * <p><b>Blocks are read-only views.</b> {@link #get} gives a view of the very bytes that the DRAM
 * tier keeps, with a position and limit of its own; it stays valid for as long as it is held, and
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
 * <p><b>How.</b> A load, an offer and an invalidation each take the block's {@link Turn}; at most
 * one stands at a block. An invalidation replaces whatever stands there, settles it, then removes
 * the block from both tiers, and only then gives its own turn up; a {@code get} that finds it reads
 * the file and keeps nothing. If what it replaced does not end in time, its turn stands until that
 * does, and then takes the block out again. A whole file is hidden by ending its {@link
 * Incarnation}, in time that depends on the calls in flight and not on the blocks cached; a
 * background pass then frees the DRAM.
 */
public final class TieredBlockCache implements AutoCloseable {
  private static final int UNKNOWN_LENGTH = 0;

  private final DramTier dram;
  private final SecondTier second;
  private final BlockLoader loader;
  private final BlockBuffers buffers;
  private final Set<Source> dramSources;
  private final Incarnation.Table files = new Incarnation.Table();
  private final Turns turns = new Turns();
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
    buffers = new BlockBuffers(options.dramValues);
    dram = new DramTier(options.maxDramBytes, options.executor);
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
   * Gets a block whose length the caller doesn't know. The second tier leases it, and it is copied
   * into a buffer of its size; while leases hold all the bytes they may, the block is loaded.
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
    turns.refuseToLoadWithinItself(key);
    Incarnation file = files.of(key.fileId()); // before the turn: see lead
    Load mine = new Load(key);
    if (dramSources.contains(source)) {
      mine.wantInDram();
    }
    boolean mayWait = !turns.isWithinOne();
    Turn running = turns.tryBegin(mine);
    if (running == null) {
      return lead(mine, key, lengthBytes, source, file).duplicate();
    }
    if (mayWait && running instanceof Load load) {
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
  private ByteBuffer loadSeparately(Load mine, int lengthBytes) throws IOException {
    separateLoads.increment();
    turns.enter(mine);
    try {
      return load(mine.key(), room(lengthBytes));
    } finally {
      turns.leave(mine);
    }
  }

  private Patience patience() {
    return new Patience(patienceNanos, nanoTime);
  }

  private ByteBuffer lead(Load mine, BlockKey key, int lengthBytes, Source source, Incarnation file)
      throws IOException {
    try {
      // invalidateFile and close first set their flag and then settle the turns they find. Here the
      // turn is set before the flag is read, so one of the two sees the other.
      if (closed || file.isGone()) {
        mine.settle(patience());
        turns.remove(mine);
      }
      // The load before this one may have ended between our lookup and our turn.
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
      turns.remove(mine);
      turns.leave(mine);
    }
  }

  private ByteBuffer fetch(
      Load mine, BlockKey key, int lengthBytes, Source source, Incarnation file)
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
    Incarnation file = files.of(fileId); // before the turn, as in get
    Turn mine = Turn.publishing(key);
    if (turns.tryBegin(mine) != null) {
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
      turns.remove(mine);
      turns.leave(mine);
    }
  }

  /**
   * Forgets one block, because its place in the file was freed. Waits for a running offer of this
   * block, never for a load, and no longer than {@link TieredBlockCacheBuilder#patience}: the block
   * of an offer that takes longer stays out of use until it ends, and is taken out then.
   *
   * @return whether a tier had it
   * @throws IllegalArgumentException if {@code offset} is negative
   * @throws IllegalStateException if the calling thread is putting a block in, and would wait for
   *     itself: a policy of the second tier, or an executor that runs on its caller's thread
   */
  public boolean invalidate(long fileId, long offset) {
    BlockKey key = new BlockKey(fileId, offset);
    turns.refuseToWaitForItself("invalidate");
    Turn mine = Turn.publishing(key);
    Patience patience = patience();
    Turn running = turns.begin(mine);
    boolean settled = running == null;
    try {
      if (running != null) {
        settled = running.settle(patience); // Another invalidation, too: it may wait for an offer.
      }
      return forget(key);
    } finally {
      turns.leave(mine);
      if (running == null || settled) {
        end(mine);
      } else {
        running.whenOver(() -> forgetAndEnd(mine));
      }
    }
  }

  private boolean forget(BlockKey key) {
    boolean inDram = dram.remove(key);
    boolean inSecond = second.invalidate(key);
    return inDram || inSecond;
  }

  private void forgetAndEnd(Turn mine) {
    try {
      forget(mine.key());
    } finally {
      end(mine);
    }
  }

  private void end(Turn mine) {
    mine.end();
    turns.remove(mine);
  }

  /**
   * Forgets every block of a file, because the file is gone. The DRAM of its blocks is freed soon
   * after, by one background pass over the tier's entries; an index of blocks by file would spare
   * the pass and cost memory and upkeep with every block. Who goes on reading the file afterwards,
   * from an open handle, say, has it cached anew until it is evicted. Waits as {@link #invalidate}
   * does.
   *
   * @throws IllegalStateException as there
   */
  public void invalidateFile(long fileId) {
    turns.refuseToWaitForItself("invalidateFile");
    Incarnation file = files.of(fileId);
    file.end();
    Patience patience = patience();
    turns.forEach(
        turn -> {
          if (turn.key().fileId() == fileId) {
            settle(turn, patience);
          }
        });
    second.invalidateFile(fileId);
    files.forget(fileId, file);
    dram.sweep();
  }

  /** In the place of a turn that does not end in time stands one that undoes it when it does. */
  private void settle(Turn turn, Patience patience) {
    if (turn.settle(patience)) {
      turns.remove(turn);
      return;
    }
    Turn after = Turn.publishing(turn.key());
    if (turns.replace(turn, after)) {
      turn.whenOver(() -> forgetAndEnd(after));
    }
  }

  /** How many calls have a turn now, and as many again for the threads that make them. */
  int turnsUnderWay() {
    return turns.size();
  }

  /** A snapshot of everything counted. */
  public TieredStats stats() {
    com.github.benmanes.caffeine.cache.stats.CacheStats counted = dram.stats();
    return new TieredStats(
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
    turns.refuseToWaitForItself("close");
    closed = true;
    Patience patience = patience();
    turns.forEach(turn -> settle(turn, patience));
    dram.clear();
    second.close();
  }
}
