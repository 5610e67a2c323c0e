// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.BlockCache;
import io.nvcache.BlockRank;
import io.nvcache.CacheStats;
import io.nvcache.FileIdentity;
import io.nvcache.FileView;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.ReusablePin;
import io.nvcache.Rewrite;
import io.nvcache.Source;
import io.nvcache.control.CacheControl;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallerKeys;
import io.nvcache.internal.read.Batches;
import io.nvcache.internal.read.BlockReads;
import io.nvcache.internal.read.PinReads;
import io.nvcache.internal.read.Reader;
import io.nvcache.internal.remove.Invalidations;
import io.nvcache.internal.write.Offers;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The block cache: checks what callers pass in, and hands each call to the class that serves it.
 *
 * <p><b>Memory.</b> Index, policies and medium are touched only inside the {@link CallGate}, which
 * {@link #close} shuts before it frees them.
 */
public final class Engine implements BlockCache {
  private final Reader reader;
  private final Batches batches;
  private final Offers offers;
  private final Invalidations invalidations;
  private final Controls controls;
  private final Consumer<Runnable> starter;
  private final Shutdown shutdown;
  private final Supplier<Rewrite> rewrites;

  Engine(
      Batches batches,
      Offers offers,
      Invalidations invalidations,
      Controls controls,
      Consumer<Runnable> starter,
      Shutdown shutdown,
      Supplier<Rewrite> rewrites) {
    this.reader = batches.reader();
    this.batches = batches;
    this.offers = offers;
    this.invalidations = invalidations;
    this.controls = controls;
    this.starter = starter;
    this.shutdown = shutdown;
    this.rewrites = rewrites;
  }

  /** Starts the background work, if there is any. */
  public void start() {
    starter.accept(controls.rounds()::run); // Not by what callers hold: threads must not.
  }

  @Override
  public int get(long fileId, long offset, ByteBuffer dst) {
    CallerKeys.checkOffset(offset);
    Objects.requireNonNull(dst, "dst");
    return reader.get(fileId, offset, BlockReads.WHOLE, dst);
  }

  @Override
  public int getRange(long fileId, long offset, int from, ByteBuffer dst) {
    CallerKeys.checkOffset(offset);
    if (from < 0) {
      throw new IndexOutOfBoundsException(
          "from is " + from + "; it must not be negative: count from the block's first byte");
    }
    Objects.requireNonNull(dst, "dst");
    return reader.get(fileId, offset, from, dst);
  }

  @Override
  public int getAll(int count, long[] fileIds, long[] offsets, ByteBuffer[] dsts, int[] lengths) {
    CallerKeys.checkCount(count, Objects.requireNonNull(fileIds, "fileIds").length);
    CallerKeys.checkCount(count, Objects.requireNonNull(offsets, "offsets").length);
    CallerKeys.checkCount(count, Objects.requireNonNull(dsts, "dsts").length);
    CallerKeys.checkCount(count, Objects.requireNonNull(lengths, "lengths").length);
    return batches.getAll(count, fileIds, offsets, dsts, lengths);
  }

  @Override
  public @Nullable PinnedBlock pin(long fileId, long offset) {
    CallerKeys.checkOffset(offset);
    return reader.pin(fileId, offset, PinReads.PastBound.REFUSE);
  }

  @Override
  public @Nullable PinnedBlock pinOrCopy(long fileId, long offset) {
    CallerKeys.checkOffset(offset);
    return reader.pin(fileId, offset, PinReads.PastBound.COPY);
  }

  @Override
  public ReusablePin reusablePin() {
    return reader.reusablePin();
  }

  @Override
  public @Nullable FileView view(long fileId, int blockBytes, long lengthBytes) {
    if (blockBytes <= 0 || lengthBytes < 0) {
      throw new IllegalArgumentException(
          "a file of "
              + lengthBytes
              + " bytes in blocks of "
              + blockBytes
              + "; blocks must have at least a byte, and files must not have fewer than none");
    }
    return reader.view(fileId, blockBytes, lengthBytes);
  }

  @Override
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    CallerKeys.checkOffset(offset);
    Objects.requireNonNull(block, "block");
    Objects.requireNonNull(source, "source");
    return offers.offer(fileId, offset, block, source);
  }

  @Override
  public OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> block, Source source) {
    CallerKeys.checkOffset(offset);
    Objects.requireNonNull(block, "block");
    Objects.requireNonNull(source, "source");
    return offers.offer(fileId, offset, lengthBytes, block, source);
  }

  @Override
  public OfferResult offer(
      long fileId,
      long offset,
      int lengthBytes,
      Supplier<ByteBuffer> block,
      Source source,
      BlockRank rank) {
    if (Objects.requireNonNull(rank, "rank") == BlockRank.ORDINARY) {
      return offer(fileId, offset, lengthBytes, block, source);
    }
    CallerKeys.checkOffset(offset);
    Objects.requireNonNull(block, "block");
    Objects.requireNonNull(source, "source");
    return offers.offerImportant(fileId, offset, lengthBytes, block, source);
  }

  @Override
  public Rewrite rewrite() {
    return rewrites.get();
  }

  @Override
  public void identify(long fileId, FileIdentity identity) {
    invalidations.identify(fileId, Objects.requireNonNull(identity, "identity"));
  }

  @Override
  public boolean invalidate(long fileId, long offset) {
    CallerKeys.checkOffset(offset);
    return invalidations.block(fileId, offset);
  }

  @Override
  public void invalidateFile(long fileId) {
    invalidations.file(fileId);
  }

  @Override
  public CacheStats stats() {
    return controls.stats().read();
  }

  @Override
  public CacheControl control() {
    return controls;
  }

  @Override
  public void close() {
    shutdown.run();
  }
}
