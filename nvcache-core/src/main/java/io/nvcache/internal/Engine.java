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
import io.nvcache.memory.RawMemory;
import io.nvcache.shadow.KeySample;
import io.nvcache.shadow.LiveShadows;
import io.nvcache.stats.Counter;
import io.nvcache.stats.StripedCounters;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The block cache: lets calls in and out, counts them, and hands them to those who serve them.
 * Reads take no lock ({@link Lookups}, {@link Pins}).
 *
 * <p><b>Memory.</b> Index, policies and medium are touched only inside the {@link CallGate}, which
 * {@link #close} shuts before it frees them.
 */
public final class Engine implements BlockCache {
  private final StripedCounters counters;
  private final CallGate gate;
  private final FileTable files;
  private final Allocator allocator;
  private final RegisteredFiles dataSet;
  private final Thresholds thresholds;
  private final Offers offers;
  private final Remover remover;
  private final Reclaimer reclaimer;
  private final MediumGuard guard;
  private final ScratchBuffers scratch;
  private final Lookups lookups;
  private final Pins pins;
  private final Watch watch;
  private final KeySample sample;
  private final LiveShadows shadows;
  private final LiveTuning tuning;
  private final Rounds rounds;
  private final ConditionWatch conditions;
  private final StatsReader stats;
  private final Maintenance maintenance;
  private final EngineParts parts;
  private final Closing closing;

  /** Takes the parts over. */
  Engine(
      EngineParts parts,
      Maintenance maintenance,
      LiveShadows shadows,
      Executor checker,
      Executor measurer) {
    this.parts = parts;
    this.counters = parts.counters();
    this.gate = new CallGate(counters);
    this.files = parts.files();
    this.allocator = parts.allocator();
    this.dataSet = parts.dataSet();
    this.thresholds = parts.thresholds();
    BlockIndex.SlotListener listener = new SlotEvents(parts.eviction(), files, gate.holders());
    this.remover = new Remover(parts.index(), allocator, files, counters, listener);
    Failures mediumFailures = new Failures(parts, remover);
    this.reclaimer = new Reclaimer(parts, remover, gate);
    this.guard = parts.guard();
    this.watch = new Watch(parts, gate, checker);
    this.scratch = new ScratchBuffers(parts.maxBlockBytes());
    BlockReads reads = new BlockReads(parts, scratch);
    this.lookups = new Lookups(parts, reads, mediumFailures);
    this.pins = new Pins(parts, lookups, reads, mediumFailures, watch.leaseLog());
    this.sample = parts.sample();
    this.shadows = shadows;
    this.tuning = new LiveTuning(parts, shadows, gate, measurer);
    this.rounds =
        new Rounds(
            maintenance,
            shadows::hasDied,
            parts.nanoTime(),
            reclaimer::run,
            watch::run,
            this::lookAtConditions,
            shadows::read,
            tuning::tick);
    this.conditions = new ConditionWatch(parts, rounds);
    this.stats = new StatsReader(parts);
    Inserter inserter = new Inserter(parts, remover, listener, mediumFailures);
    this.offers = new Offers(parts, gate, inserter, maintenance, scratch);
    this.maintenance = maintenance;
    this.closing =
        new Closing(
            gate,
            List.of(maintenance, shadows),
            parts.guards().stuckAfter().toNanos(),
            List.of(
                shadows,
                stats::freeze,
                parts.index(),
                parts.admission(),
                isOnePolicy(parts) ? () -> {} : parts.eviction(),
                pins::close));
    closing.addCompanion(watch::reportLeases);
  }

  /** Starts the background work, if there is any. */
  public void start() {
    maintenance.start(this::maintain);
  }

  /** Whether one object is both policies, and is closed once. */
  private static boolean isOnePolicy(EngineParts parts) {
    return (Object) parts.admission().policy() == parts.eviction().policy();
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
    Objects.requireNonNull(dst, "dst");
    if (dst.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    return RawMemory.mayVanish(dst)
        ? getByCopy(fileId, offset, from, dst)
        : getInto(fileId, offset, from, dst);
  }

  private int getByCopy(long fileId, long offset, int from, ByteBuffer dst) {
    CallerBuffers.checkAlive(dst);
    ByteBuffer copy = scratch.take();
    try {
      copy.limit(Math.min(copy.capacity(), dst.remaining()));
      int copied = getInto(fileId, offset, from, copy);
      CallerBuffers.put(dst, copy.flip());
      return copied;
    } finally {
      scratch.giveBack(copy);
    }
  }

  private int getInto(long fileId, long offset, int from, ByteBuffer dst) {
    int stripe = gate.beginLookup();
    if (stripe == CallGate.SHUT) {
      return MISS;
    }
    int copied = MISS;
    try {
      if (isInService(stripe)) {
        copied = lookups.copy(fileId, offset, from, dst, stripe);
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
  private boolean isInService(int stripe) {
    if (guard.isOut()) {
      lookups.missed(stripe, MissReason.OUT_OF_SERVICE);
      return false;
    }
    return true;
  }

  @Override
  public @Nullable PinnedBlock pin(long fileId, long offset) {
    return pin(fileId, offset, Pins.PastBound.REFUSE);
  }

  @Override
  public @Nullable PinnedBlock pinOrCopy(long fileId, long offset) {
    return pin(fileId, offset, Pins.PastBound.COPY);
  }

  private @Nullable PinnedBlock pin(long fileId, long offset, Pins.PastBound pastBound) {
    checkOffset(offset);
    int stripe = gate.beginLookup();
    if (stripe == CallGate.SHUT) {
      return null;
    }
    PinnedBlock lease = null;
    try {
      if (isInService(stripe)) {
        lease = pins.pin(fileId, offset, pastBound, stripe);
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

  @Override
  public OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    checkOffset(offset);
    Objects.requireNonNull(block, "block");
    Objects.requireNonNull(source, "source");
    return offers.offer(fileId, offset, block, source);
  }

  @Override
  public OfferResult offer(
      long fileId, long offset, int lengthBytes, Supplier<ByteBuffer> block, Source source) {
    checkOffset(offset);
    Objects.requireNonNull(block, "block");
    Objects.requireNonNull(source, "source");
    return offers.offer(fileId, offset, lengthBytes, block, source);
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
    rounds.run();
  }

  private void lookAtConditions() {
    conditions.look();
  }

  @Override
  public CacheHealth health() {
    return watch.health(conditions.bypass(), rounds.secondsSinceEnd());
  }

  @Override
  public void takeOutOfService(String reason) {
    if (Objects.requireNonNull(reason, "reason").isBlank()) {
      throw new IllegalArgumentException(
          "the reason is missing; say why, for who reads the log and the health");
    }
    guard.leaveByHand(reason);
  }

  @Override
  public void returnToService() {
    guard.enterByHand();
  }

  @Override
  public BlockWalk walk() {
    return new IndexWalk(parts, gate, scratch);
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
    conditions.addListener(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void removeListener(CacheListener listener) {
    conditions.removeListener(Objects.requireNonNull(listener, "listener"));
  }

  @Override
  public void addCompanion(AutoCloseable companion) {
    closing.addCompanion(Objects.requireNonNull(companion, "companion"));
  }

  @Override
  public void removeCompanion(AutoCloseable companion) {
    closing.removeCompanion(Objects.requireNonNull(companion, "companion"));
  }

  @Override
  public void close() {
    closing.run();
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
