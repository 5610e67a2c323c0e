// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.BlockCache;
import io.nvcache.BlockWalk;
import io.nvcache.CacheHealth;
import io.nvcache.CacheListener;
import io.nvcache.CacheStats;
import io.nvcache.Condition;
import io.nvcache.DataSet;
import io.nvcache.LiveSettings;
import io.nvcache.MissReason;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.ReasonLedger;
import io.nvcache.Shadows;
import io.nvcache.Source;
import io.nvcache.Tuning;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.shadow.KeySample;
import io.nvcache.shadow.LiveShadows;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The block cache.
 *
 * <p><b>How a hit is safe without a lock.</b> A lookup (1) asks the file table for the file's
 * number, (2) finds the entry and remembers its bucket's version, (3) copies the bytes, and then
 * checks (4) that the number is still the file's and (5), last, that the version still stands.
 * While an entry is in the index, its number has one owner and its space one block; so when the
 * version stands, the owner that (4) saw is the one whose block was copied. Otherwise the lookup
 * starts over, and after {@value #MAX_ATTEMPTS} attempts is a miss. A lease, in place of copying,
 * takes a reference of the slot before the checks.
 *
 * <p><b>Memory.</b> Index, policies and medium are touched only inside the {@link CallGate}, which
 * {@link #close} shuts before it frees them.
 */
public final class Engine implements BlockCache {
  private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
  private static final int MAX_ATTEMPTS = 8;

  private final StripedCounters counters;
  private final CallGate gate;
  private final BlockIndex index;
  private final FileTable files;
  private final SlabAllocator allocator;
  private final Space space;
  private final AdmissionPolicy admission;
  private final EvictionPolicy eviction;
  private final RegisteredFiles dataSet;
  private final Thresholds thresholds;
  private final Inserter inserter;
  private final Remover remover;
  private final Reclaimer reclaimer;
  private final MediumGuard guard;
  private final BlockReads reads;
  private final Failures mediumFailures;
  private final Watch watch;
  private final @Nullable LeaseLog leaseLog;
  private final long patienceNanos;
  private final Leases leases;
  private final PolicyFailures failures;
  private final KeySample sample;
  private final LiveShadows shadows;
  private final LiveTuning tuning;
  private final ConditionWatch conditions;

  /** Null once no call can touch the medium any more, but for leases. */
  private volatile @Nullable MediumHandle medium;

  private final StatsReader stats;
  private final Maintenance maintenance;
  private final EngineParts parts;
  private final List<AutoCloseable> companions = new CopyOnWriteArrayList<>();

  /** What to do where a lease on the medium's memory is refused. */
  private enum PastBound {
    REFUSE,
    COPY
  }

  /** Takes the parts over. */
  Engine(EngineParts parts, Maintenance maintenance, LiveShadows shadows) {
    this.parts = parts;
    this.counters = parts.counters();
    this.gate = new CallGate(counters);
    this.index = parts.index();
    this.files = parts.files();
    this.allocator = parts.allocator();
    this.space = parts.space();
    this.admission = parts.admission();
    this.eviction = parts.eviction();
    this.dataSet = parts.dataSet();
    this.thresholds = parts.thresholds();
    this.failures = parts.failures();
    BlockIndex.SlotListener listener = new SlotEvents(eviction, files, failures);
    this.remover = new Remover(index, allocator, files, counters, listener);
    this.mediumFailures = new Failures(parts, remover);
    this.inserter = new Inserter(parts, remover, listener, mediumFailures);
    this.reclaimer = new Reclaimer(parts, remover, gate);
    this.guard = parts.guard();
    this.reads = new BlockReads(parts);
    this.watch = new Watch(parts, gate);
    this.conditions = new ConditionWatch(parts);
    this.leaseLog = watch.leaseLog();
    this.patienceNanos = parts.guards().stuckAfter().toNanos();
    this.leases = new Leases(counters, thresholds.maxPinnedBytes());
    this.sample = parts.sample();
    this.shadows = shadows;
    this.tuning = new LiveTuning(parts, shadows, gate, parts.expectedBlockBytes());
    thresholds.addListener(
        (setting, before, after) -> leases.maxPinnedBytes(thresholds.maxPinnedBytes()));
    this.medium = new MediumHandle(space.medium());
    this.stats = new StatsReader(parts);
    this.maintenance = maintenance;
  }

  @Override
  public int get(long fileId, long offset, ByteBuffer dst) {
    return get(fileId, offset, BlockReads.WHOLE, dst);
  }

  @Override
  public int getRange(long fileId, long offset, int from, ByteBuffer dst) {
    checkOffset(offset);
    if (from < 0) {
      throw new IndexOutOfBoundsException(
          "from is " + from + "; it must not be negative: count from the block's first byte");
    }
    return get(fileId, offset, from, dst);
  }

  private int get(long fileId, long offset, int from, ByteBuffer dst) {
    checkOffset(offset);
    if (dst.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    int stripe = counters.stripe();
    counters.add(stripe, Counter.LOOKUPS, 1);
    int copied = MISS;
    try {
      if (isOpen(stripe)) {
        copied = lookup(fileId, offset, from, dst, stripe);
      }
    } finally {
      if (copied == MISS) {
        counters.add(stripe, Counter.MISSES, 1);
      } else {
        counters.add(stripe, Counter.HIT_BYTES, copied);
        counters.add(stripe, Counter.HITS, 1);
      }
    }
    if (sample.has(fileId, offset)) {
      tellLookup(fileId, offset, copied, from, stripe);
    }
    return copied;
  }

  private void tellLookup(long fileId, long offset, int length, int from, int stripe) {
    if (length == MISS) {
      sample.miss(fileId, offset, stripe);
    } else {
      sample.hit(fileId, offset, from == BlockReads.WHOLE ? length : 0, stripe);
    }
  }

  /** If it is not, counts the miss that follows. */
  private boolean isOpen(int stripe) {
    if (gate.isClosed()) {
      missed(stripe, MissReason.CLOSED);
      return false;
    }
    if (guard.isOut()) {
      missed(stripe, MissReason.OUT_OF_SERVICE);
      return false;
    }
    return true;
  }

  /** Every miss has its reason counted where it is known. */
  private int missed(int stripe, MissReason reason) {
    counters.add(stripe, Counter.of(reason), 1);
    return MISS;
  }

  private int lookup(long fileId, long offset, int from, ByteBuffer dst, int stripe) {
    int segment = BucketLayout.segment(offset);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      int drops = files.drops();
      int number = files.find(fileId, segment);
      if (number == FileTable.NONE) {
        return missed(stripe, MissReason.NOT_CACHED);
      }
      long found = index.find(BucketLayout.key(number, offset));
      int slot = BlockIndex.slot(found);
      if (slot < 0) {
        if (found == BlockIndex.NOT_FOUND) {
          return missed(stripe, MissReason.NOT_CACHED);
        }
        break;
      }
      long bucket = index.bucketOf(slot);
      long location = Bucket.location(bucket, BlockIndex.inBucket(slot));
      int length = allocator.slotBytes(location) - Bucket.slack(bucket, BlockIndex.inBucket(slot));
      if (!space.holds(location, length)) {
        continue; // Torn: the entry changed while it was read.
      }
      int copied = reads.copy(slot, location, length, from, dst);
      if (files.isStill(number, fileId, segment, drops)
          && Bucket.isUnchanged(bucket, BlockIndex.version(found))) {
        if (copied < 0) {
          RuntimeException refusal = BlockReads.refusal(copied, from, length);
          if (refusal != null) {
            missed(stripe, MissReason.CALL_REFUSED);
            throw refusal;
          }
          mediumFailures.readFailed(copied, slot, location, stripe);
          return MISS;
        }
        touch(slot);
        dst.position(dst.position() + copied);
        return copied;
      }
      if (copied > 0) {
        counters.add(stripe, Counter.TORN_READ_BYTES, copied);
      }
    }
    return missed(stripe, MissReason.CONTENDED);
  }

  @Override
  public @Nullable PinnedBlock pin(long fileId, long offset) {
    return pin(fileId, offset, PastBound.REFUSE);
  }

  @Override
  public @Nullable PinnedBlock pinOrCopy(long fileId, long offset) {
    return pin(fileId, offset, PastBound.COPY);
  }

  private @Nullable PinnedBlock pin(long fileId, long offset, PastBound pastBound) {
    checkOffset(offset);
    int stripe = counters.stripe();
    counters.add(stripe, Counter.LOOKUPS, 1);
    PinnedBlock lease = null;
    try {
      if (isOpen(stripe)) {
        lease = lease(fileId, offset, pastBound, stripe);
      }
    } finally {
      if (lease == null) {
        counters.add(stripe, Counter.MISSES, 1);
      } else {
        counters.add(stripe, Counter.HIT_BYTES, lease.length());
        counters.add(stripe, Counter.HITS, 1);
      }
    }
    if (sample.has(fileId, offset)) {
      tellLookup(fileId, offset, lease == null ? MISS : lease.length(), BlockReads.WHOLE, stripe);
    }
    return lease;
  }

  private @Nullable PinnedBlock lease(long fileId, long offset, PastBound pastBound, int stripe) {
    int segment = BucketLayout.segment(offset);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      int drops = files.drops();
      int number = files.find(fileId, segment);
      if (number == FileTable.NONE) {
        missed(stripe, MissReason.NOT_CACHED);
        return null;
      }
      long found = index.find(BucketLayout.key(number, offset));
      int slot = BlockIndex.slot(found);
      if (slot < 0) {
        if (found == BlockIndex.NOT_FOUND) {
          missed(stripe, MissReason.NOT_CACHED);
          return null;
        }
        break;
      }
      long location = index.location(slot);
      if (allocator.retain(location)) {
        int length = allocator.slotBytes(location) - index.slack(slot);
        if (files.isStill(number, fileId, segment, drops) && index.isUnchanged(found)) {
          touch(slot);
          PinnedBlock lease = leaseRetained(slot, location, length, pastBound, stripe);
          return lease == null || leaseLog == null ? lease : leaseLog.list(lease, fileId, offset);
        }
        allocator.release(location);
      } else if (index.isUnchanged(found)) {
        counters.add(stripe, Counter.REFUSED_PINS, 1); // As many leases as a slot can count.
        int length = allocator.slotBytes(location) - index.slack(slot);
        if (pastBound == PastBound.COPY && length > 0) { // Else torn.
          return copy(fileId, offset, length, stripe);
        }
        missed(stripe, MissReason.PIN_REFUSED);
        return null;
      }
    }
    missed(stripe, MissReason.CONTENDED);
    return null;
  }

  /** Copies a block that can't be retained; reads it as a lookup does. */
  private @Nullable PinnedBlock copy(long fileId, long offset, int length, int stripe) {
    ByteBuffer copy = ByteBuffer.allocate(length);
    return lookup(fileId, offset, 0, copy, stripe) == length ? new CopyLease(copy.flip()) : null;
  }

  /** The caller holds a reference of the slot, which passes to the lease or is given back. */
  private @Nullable PinnedBlock leaseRetained(
      int slot, long location, int length, PastBound pastBound, int stripe) {
    PinnedBlock lease = null;
    boolean reserved = false;
    try {
      long address = space.address(location);
      if (address == 0) {
        return copyLease(slot, location, length, stripe);
      }
      int verified = reads.verify(slot, location, length);
      if (verified < 0) {
        mediumFailures.readFailed(verified, slot, location, stripe);
        return null;
      }
      reserved = leases.reserve(stripe, length);
      if (reserved) {
        lease = new MemoryLease(this, handle(), location, address, length, stripe);
      } else {
        counters.add(stripe, Counter.REFUSED_PINS, 1);
        if (pastBound == PastBound.COPY) {
          return copyLease(slot, location, length, stripe);
        }
        missed(stripe, MissReason.PIN_REFUSED);
      }
      return lease;
    } finally {
      if (lease == null) {
        allocator.release(location);
        if (reserved) {
          leases.release(stripe, length);
        }
      }
    }
  }

  private @Nullable PinnedBlock copyLease(int slot, long location, int length, int stripe) {
    ByteBuffer copy = ByteBuffer.allocate(length);
    int copied = reads.copy(slot, location, length, BlockReads.WHOLE, copy);
    if (copied < 0) {
      mediumFailures.readFailed(copied, slot, location, stripe);
      return null;
    }
    return new CopyLease(copy);
  }

  private MediumHandle handle() {
    MediumHandle handle = medium;
    if (handle == null) {
      throw new IllegalStateException("the medium was given back while a lookup ran");
    }
    return handle;
  }

  /** Whether the calling thread is the one that pins on this stripe. */
  boolean owns(int stripe) {
    return counters.owns(stripe);
  }

  /** Ends a lease. Touches no memory of the medium, so it needs no gate. */
  void unpin(MediumHandle handle, long location, int length, int stripe) {
    allocator.release(location);
    leases.release(stripe, length);
    if (medium == null) {
      releaseIfUnleased(handle);
    }
  }

  /** Marks are lossy anyway: a policy that throws must not cost the store its hit. */
  private void touch(int slot) {
    try {
      eviction.onHit(slot);
    } catch (RuntimeException e) {
      failures.report(eviction, e);
    }
  }

  @Override
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    // Both are taken once: what the caller does to the buffer meanwhile is its own affair.
    int position = block.position();
    int lengthBytes = block.remaining();
    return offer(fileId, offset, new Candidate(lengthBytes, block, position), source);
  }

  @Override
  public OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> block, Source source) {
    return offer(fileId, offset, new Candidate(lengthBytes, block), source);
  }

  private OfferResult offer(long fileId, long offset, Candidate block, Source source) {
    checkOffset(offset);
    if (block.lengthBytes() <= 0) {
      throw new IllegalArgumentException(
          "the block at offset "
              + offset
              + " of file "
              + fileId
              + " is empty; offer at least a byte");
    }
    int stripe = gate.begin();
    try {
      OfferResult result;
      if (gate.isClosed()) {
        result = OfferResult.CLOSED;
      } else if (guard.isOut()) {
        result = OfferResult.OUT_OF_SERVICE;
      } else {
        result = inserter.offer(fileId, offset, block, source, stripe);
      }
      counters.add(stripe, Counter.of(source), 1);
      counters.add(stripe, Counter.of(result), 1);
      if (sample.has(fileId, offset)) {
        sample.offer(fileId, offset, block.lengthBytes(), source, stripe);
      }
      if (result == OfferResult.NO_SPACE || allocator.wantsDraining()) {
        maintenance.wake();
      }
      return result;
    } finally {
      gate.end(stripe);
    }
  }

  @Override
  public boolean invalidate(long fileId, long offset) {
    checkOffset(offset);
    int stripe = gate.begin();
    try {
      if (gate.isClosed()) {
        return false;
      }
      if (sample.has(fileId, offset)) {
        sample.invalidation(fileId, offset, stripe);
      }
      int number = files.find(fileId, BucketLayout.segment(offset));
      return number != FileTable.NONE
          && remover.invalidate(BucketLayout.key(number, offset), stripe);
    } finally {
      gate.end(stripe);
    }
  }

  @Override
  public void invalidateFile(long fileId) {
    dataSet.unregister(fileId);
    files.drop(fileId);
    if (sample.isOn()) {
      sample.fileGone(fileId, counters.stripe());
    }
    if (files.deadBlocks() > 0) {
      maintenance.wake();
    }
  }

  @Override
  public void maintain() {
    reclaimer.run();
    watch.run();
    conditions.look();
    shadows.read();
    tuning.tick();
  }

  @Override
  public CacheHealth health() {
    return watch.health();
  }

  @Override
  public void takeOutOfService(String reason) {
    guard.leaveByHand(reason);
  }

  @Override
  public void returnToService() {
    guard.enterByHand();
  }

  @Override
  public BlockWalk walk() {
    return new IndexWalk(parts, gate);
  }

  @Override
  public long countBlocks(long fileId) {
    return files.blocks(fileId);
  }

  @Override
  public DataSet dataSet() {
    return dataSet;
  }

  @Override
  public LiveSettings settings() {
    return thresholds;
  }

  @Override
  public CacheStats stats() {
    return stats.read();
  }

  @Override
  public Shadows shadows() {
    return shadows;
  }

  @Override
  public Tuning tuning() {
    return tuning;
  }

  @Override
  public ReasonLedger ledger() {
    return stats.readLedger();
  }

  @Override
  public Map<Condition, String> conditions() {
    return conditions.present();
  }

  @Override
  public void addListener(CacheListener listener) {
    conditions.addListener(listener);
  }

  @Override
  public void removeListener(CacheListener listener) {
    conditions.removeListener(listener);
  }

  /** Has something closed together with the cache. To be called before the cache is shared. */
  public void onClose(AutoCloseable companion) {
    companions.add(companion);
  }

  @Override
  public void close() {
    if (!gate.shut()) {
      return;
    }
    companions.forEach(Engine::closeQuietly);
    watch.reportLeases();
    if (gate.awaitEmpty(patienceNanos)) {
      free();
      return;
    }
    LOG.warn("calls are inside a medium that hangs; its memory is freed when they have ended");
    Thread waiting =
        new Thread(
            () -> {
              boolean empty = gate.awaitEmpty(Long.MAX_VALUE);
              assert empty;
              free();
            },
            "nvcache-close");
    waiting.setDaemon(true);
    waiting.start();
  }

  /** No call is inside any more. */
  private void free() {
    maintenance.close();
    shadows.close();
    stats.freeze();
    closeQuietly(index);
    closeQuietly(admission);
    closeQuietly(eviction);
    // Not before here may a lease that ends free the medium: a call that began before the gate was
    // shut might still be reading it. The lease counts itself out and then looks at the field; this
    // clears the field and then looks at the count. Should neither see the other, the garbage
    // collector will find the handle.
    MediumHandle handle = handle();
    medium = null; // Leases and views hold it from now on, and when they are gone, nobody.
    releaseIfUnleased(handle);
  }

  private static void closeQuietly(AutoCloseable companion) {
    try {
      companion.close();
    } catch (Exception e) {
      LOG.warn("{} did not close with its cache", companion, e);
    }
  }

  private void releaseIfUnleased(MediumHandle handle) {
    if (leases.pinnedBytes() == 0) {
      handle.release();
    }
  }

  private static void checkOffset(long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException(
          "offset is "
              + offset
              + "; it must not be negative: give the block's first byte in its file");
    }
  }
}
