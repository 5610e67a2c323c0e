// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.control.LiveSettings;
import io.nvcache.stress.StressFiles.Incarnation;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * One thread of a stress run: random calls, each answer checked. A block that is found must be the
 * one asked for, in a version that was current at some time during the call.
 */
final class StressWorker implements Runnable {
  /** Of a shared pin, at most, in one step. */
  private static final int MANY_READS = 1_000;

  private static final int MANY_COPIES = 32;

  /** Pins that begin, or are refused, while the level is read may show in it. */
  private final long slipBytes;

  private final Supplier<BlockCache> cache;
  private final StressFiles files;
  private final SharedPins sharedPins;
  private final StressTally tally;
  private final SplittableRandom random;
  private final BooleanSupplier ended;
  private final long maxPinnedBytes;
  private final ByteBuffer heap = ByteBuffer.allocate(StressBlock.MAX_BYTES);
  private final ByteBuffer direct = ByteBuffer.allocateDirect(StressBlock.MAX_BYTES);

  StressWorker(
      Supplier<BlockCache> cache,
      StressFiles files,
      SharedPins sharedPins,
      StressTally tally,
      SplittableRandom random,
      BooleanSupplier ended,
      long maxPinnedBytes,
      int threads) {
    this.cache = cache;
    this.files = files;
    this.sharedPins = sharedPins;
    this.tally = tally;
    this.random = random;
    this.ended = ended;
    this.maxPinnedBytes = maxPinnedBytes;
    this.slipBytes = (long) threads * StressBlock.MAX_BYTES;
  }

  @Override
  public void run() {
    while (!ended.getAsBoolean()) {
      try {
        step();
      } catch (RuntimeException | Error e) {
        tally.unexpected.increment();
        tally.explain("thrown: " + e);
      }
    }
  }

  private void step() {
    SharedPins.Shared meeting = sharedPins.meeting();
    if (meeting != null) {
      readShared(meeting);
      return;
    }
    int number = skewed(StressFiles.FILES);
    int block = skewed(StressFiles.BLOCKS);
    Incarnation file = files.file(number);
    int what = random.nextInt(10_000);
    if (what < 5_000) {
      get(file, block, (what & 1) == 0 ? heap : direct);
    } else if (what < 5_800) {
      getRange(file, block);
    } else if (what < 6_400) {
      pin(file, block);
    } else if (what < 7_000) {
      share(file, block);
    } else if (what < 9_600) {
      offer(file, block);
    } else if (what < 9_980) {
      invalidate(file, block);
    } else if (what < 9_990) {
      cache.get().invalidateFile(files.replace(number).fileId);
      tally.filesReplaced.increment();
    } else if (what < 9_995) {
      reconfigure(cache.get().control().settings());
    } else {
      checkBudget(cache.get().stats());
    }
  }

  private int skewed(int bound) {
    return Math.min(random.nextInt(bound), random.nextInt(bound));
  }

  private void get(Incarnation file, int block, ByteBuffer dst) {
    tally.lookups.increment();
    int before = file.versions.get(block);
    int start = random.nextInt(4) == 0 ? random.nextInt(1 << 8) : 0;
    dst.clear().position(start);
    if (random.nextBoolean()) {
      clobber(dst);
    }
    int length;
    try {
      length = cache.get().get(file.fileId, StressFiles.offset(block), dst);
    } catch (BufferOverflowException e) {
      if (dst.remaining() >= StressBlock.MAX_BYTES) {
        throw e;
      }
      return; // Told that it did not fit, and it may not have.
    }
    if (length == BlockCache.MISS) {
      return;
    }
    tally.hits.increment();
    judge(file, block, dst.limit(start + length), start, before);
  }

  /** What an earlier call left must not pass for an answer. */
  private static void clobber(ByteBuffer dst) {
    for (int at = dst.position(); at < dst.limit(); at += 512) {
      dst.put(at, (byte) ~dst.get(at));
    }
  }

  private void judge(Incarnation file, int block, ByteBuffer bytes, int start, int before) {
    long offset = StressFiles.offset(block);
    int version = StressBlock.verify(bytes, start, file.fileId, offset);
    if (version < 0) {
      tally.wrong.increment();
      tally.explain("bytes that are not block " + offset + " of file " + file.fileId);
    } else if (version < before || version > file.versions.get(block)) {
      tally.stale.increment();
      tally.explain(
          "version "
              + version
              + " of block "
              + offset
              + " of file "
              + file.fileId
              + " after version "
              + before);
    }
  }

  private void getRange(Incarnation file, int block) {
    tally.lookups.increment();
    int before = file.versions.get(block);
    long offset = StressFiles.offset(block);
    int from = random.nextInt(StressBlock.MIN_BYTES);
    int wanted = 1 + random.nextInt(64);
    heap.clear().limit(wanted);
    int copied = cache.get().getRange(file.fileId, offset, from, heap);
    if (copied == BlockCache.MISS) {
      return;
    }
    tally.hits.increment();
    ByteBuffer part = heap.duplicate().flip();
    int newest = file.versions.get(block);
    if (copied != part.remaining()
        || !StressBlock.isPart(part, from, wanted, file.fileId, offset, before, newest)) {
      tally.wrong.increment();
      tally.explain("a range that is not of block " + offset + " of file " + file.fileId);
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // Gives the others time to evict what is pinned.
  private void pin(Incarnation file, int block) {
    tally.lookups.increment();
    int before = file.versions.get(block);
    try (PinnedBlock pin = cache.get().pin(file.fileId, StressFiles.offset(block))) {
      if (pin == null) {
        return;
      }
      tally.hits.increment();
      tally.pins.increment();
      int newest = file.versions.get(block);
      for (int look = random.nextInt(3); look >= 0; look--) {
        ByteBuffer seen = random.nextBoolean() ? view(pin) : copy(pin);
        int version = StressBlock.verify(seen, 0, file.fileId, StressFiles.offset(block));
        if (version < before || version > newest) {
          tally.wrong.increment();
          tally.explain("a pin of version " + version + " after version " + before);
        }
        if (random.nextInt(16) == 0) {
          Thread.yield(); // On a busy machine this takes as long as everybody else likes.
        }
      }
    }
  }

  private ByteBuffer view(PinnedBlock pin) {
    ByteBuffer view = pin.buffer();
    if (view.isDirect()) {
      tally.pinsInPlace.increment();
    }
    return view;
  }

  /** Pins a block for all threads, or reads and maybe closes what one of them pinned. */
  private void share(Incarnation file, int block) {
    SharedPins.Shared shared = sharedPins.current();
    if (shared != null && random.nextInt(16) > 0) {
      readShared(shared);
      return;
    }
    tally.lookups.increment();
    int before = file.versions.get(block);
    long offset = StressFiles.offset(block);
    PinnedBlock pin = cache.get().pin(file.fileId, offset);
    if (pin == null) {
      return;
    }
    tally.hits.increment();
    tally.pins.increment();
    int newest = file.versions.get(block);
    shared = new SharedPins.Shared(pin, file.fileId, offset, before, newest);
    sharedPins.put(shared);
    if (random.nextInt(32) == 0) {
      sharedPins.meetAt(shared);
    }
  }

  private void readShared(SharedPins.Shared shared) {
    if (random.nextInt(64) == 0) {
      shared.end(); // It stays there, so that others come to a closed one.
    }
    if (random.nextBoolean()) {
      readAgainAndAgain(shared);
      return;
    }
    boolean copied = false;
    for (int i = 0; i < MANY_COPIES; i++) {
      copied = shared.copyTo(direct);
    }
    if (copied && random.nextInt(8) == 0) { // It takes longer than all those copies.
      tally.sharedReads.increment();
      int version = StressBlock.verify(direct, 0, shared.fileId, shared.offset);
      if (version < shared.oldest || version > shared.newest) {
        tally.wrong.increment();
        tally.explain("a shared pin of version " + version + " after " + shared.oldest);
      }
    }
  }

  /** Short reads, begun also in vain, for as long as another thread is inside a long one. */
  private void readAgainAndAgain(SharedPins.Shared shared) {
    int least = random.nextInt(16);
    for (int i = 0; i < least || (i < MANY_READS && shared.isBeingCopied()); i++) {
      long fileId = shared.fileIdOr(SharedPins.CLOSED);
      if (fileId != SharedPins.CLOSED && fileId != shared.fileId) {
        tally.wrong.increment();
        tally.explain("a shared pin of file " + fileId + " for one of file " + shared.fileId);
      }
    }
    tally.sharedReads.increment();
  }

  private ByteBuffer copy(PinnedBlock pin) {
    direct.clear();
    pin.copyTo(direct);
    return direct.flip();
  }

  private void offer(Incarnation file, int block) {
    Source[] sources = Source.values();
    Source source = sources[random.nextInt(8) < 5 ? 0 : random.nextInt(sources.length)];
    ReentrantLock lock = files.lock(file.fileId, block);
    lock.lock();
    try {
      StressBlock.write(heap, file.fileId, StressFiles.offset(block), file.versions.get(block));
      tally.offers.increment();
      if (cache.get().offer(file.fileId, StressFiles.offset(block), heap, source)
          == OfferResult.ADMITTED) {
        tally.admitted.increment();
      }
    } finally {
      lock.unlock();
    }
  }

  private void invalidate(Incarnation file, int block) {
    ReentrantLock lock = files.lock(file.fileId, block);
    lock.lock();
    try {
      cache.get().invalidate(file.fileId, StressFiles.offset(block));
      file.versions.incrementAndGet(block); // After it: from now on the old one may not be seen.
      tally.invalidations.increment();
    } finally {
      lock.unlock();
    }
  }

  private void reconfigure(LiveSettings settings) {
    tally.reconfigurations.increment();
    switch (random.nextInt(5)) {
      case 0 -> settings.setOverheadTarget(random.nextInt(4) == 0 ? 10 : random.nextDouble());
      case 1 -> settings.setFullTarget(0.5 + random.nextDouble() / 2);
      case 2 -> settings.setEvictionWindow(Duration.ofSeconds(1 + random.nextInt(10)));
      case 3 -> settings.setSmallBypassDramBytes(random.nextLong(1L << 40));
      default -> settings.setSmallBypassFraction(1 - random.nextDouble());
    }
  }

  private void checkBudget(CacheStats stats) {
    if (stats.usedBytes() > stats.capacityBytes()
        || stats.pinnedBytes() > maxPinnedBytes + slipBytes) {
      tally.overBudget.increment();
      tally.explain(
          stats.usedBytes()
              + " bytes used of "
              + stats.capacityBytes()
              + ", "
              + stats.pinnedBytes()
              + " pinned of "
              + maxPinnedBytes);
    }
  }
}
