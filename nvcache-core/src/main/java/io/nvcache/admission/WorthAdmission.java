// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.Source;
import io.nvcache.VictimPricing;
import io.nvcache.admission.WriteBudget.Pool;
import io.nvcache.admission.WriteBudget.Room;
import io.nvcache.memory.Claims;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;

/**
 * Spends the overhead target (SoCC '22, §3.2.3, lesson 2) on the blocks that are worth it most.
 *
 * <p>The paper's bypass decides how many blocks are written, and takes whichever come first. This
 * one asks what each would bring: a block is worth the lookups that missed it lately ({@link
 * DemandSketch}), less the worth of the block that would be evicted ({@link VictimPricing}), and
 * has to beat a price that makes demand meet the budget ({@link WriteBudget}). Of a block that
 * comes without having been asked for, by a flush or scan say, no lookups are known; it is worth
 * what other blocks of its source turned out to be ({@link SourceProbation}). Blocks that were read
 * ahead fill free room, whatever they are worth. docs/inside/policies.md says why.
 *
 * <p><b>Guarantee.</b> Inserts and weighted removals exceed target × lookups by the capacity at
 * most, and not at all once that allows for two capacities: the proof is with {@link WriteBudget}.
 * Blocks longer than expected count for as much more, so that the bytes written are bounded as
 * well, by {@code expectedBlockBytes} times the same. Not counted is a block that two threads wrote
 * at the same moment, of which one was thrown away ({@link
 * io.nvcache.control.ReasonLedger#wastedBytes}).
 *
 * <p><b>Threads.</b> The sketch is racy and takes no lock; the budget is charged under one, held
 * for arithmetic only. With one thread, the same calls give the same decisions.
 */
public final class WorthAdmission implements AdmissionPolicy, HeatAware {
  /**
   * What a block has to be worth beyond its victim, however low the price: a swap of equals is a
   * write for nothing.
   */
  private static final double LEAST_GAIN = 1;

  /**
   * A lookup that hits spares the disk a read, which takes it as long as four reads take the medium
   * (SoCC '22, §3.2.1: 2.5 GB/s next to 12). So that is what a write may harm for each lookup
   * gained.
   */
  private static final double READS_SPARED_PER_HIT = 4;

  /**
   * Half of what the sketch counts up to: whatever harm and length, the busiest blocks get in,
   * except where the victim comes often and such blocks do no more: see {@link #MOST_COMPARABLE}.
   */
  private static final double MOST_LEAST_GAIN = 8;

  /** How often hits and removals are counted again: sums over counters that hits write. */
  private static final int OBSERVATIONS_PER_CAPACITY = 256;

  private static final int MAX_LOOKUPS_PER_OBSERVATION = 64;

  /** How often the lookups of victims count against the lookups of blocks that replace them. */
  private static final double VICTIMS_COUNT = 2;

  /** A resident that is worth so much comes often: how often, its mark can't say. */
  private static final int OFTEN = 5 * VictimPricing.LOOKUP_WORTH;

  /** The count beyond which a block is no better than such a resident: marks end at eight. */
  private static final double MOST_COMPARABLE = 7;

  /** What has to be gained beyond in two capacities of lookups. */
  private static final double LEAST_GAINED = 0.3;

  /** Pools by their receipts. */
  private static final List<Pool> POOLS = List.of(Pool.values());

  private final Traffic traffic;
  private final DoubleSupplier overheadTarget;
  private final VictimPricing residents;
  private final double expectedBlockBytes;
  private final double leastGain;
  private final long lookupsPerObservation;
  private final long capacityBlocks;
  private final BlockHash hash;
  private final DemandSketch sketch;
  private final SourceProbation trials;
  private final MissTrials misses;
  private final RecentMisses recent;

  /** Guards the budget. */
  private final Object lock = new Object();

  private final WriteBudget budget;
  private volatile long nextObservation;

  /** What a block has to be worth while free room is spoken for. */
  private volatile double reserved;

  /** The free room that is spoken for, in expected blocks. */
  private volatile double reservedBlocks;

  /** Until so many lookups; without end while blocks are to come. */
  private volatile long reservedUntil;

  public WorthAdmission(AdmissionContext context) {
    this.traffic = context.traffic();
    this.overheadTarget = context.overheadTarget();
    this.residents = context.residents();
    this.expectedBlockBytes = context.expectedBlockBytes();
    double harmRepaid = context.writeHarm() / READS_SPARED_PER_HIT;
    this.leastGain = Math.max(LEAST_GAIN, harmRepaid);
    this.hash = new BlockHash(context.hashSeed());
    long blocks = context.capacityBlocks();
    this.capacityBlocks = blocks;
    this.lookupsPerObservation =
        Math.min(MAX_LOOKUPS_PER_OBSERVATION, Math.max(1, blocks / OBSERVATIONS_PER_CAPACITY));
    this.trials = new SourceProbation(blocks);
    this.misses = new MissTrials(blocks);
    this.budget = new WriteBudget(blocks, context.removalWeight());
    this.sketch = new DemandSketch(blocks);
    this.recent = new RecentMisses(blocks);
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    long now = advance();
    if (candidate.isExpected()) {
      observe(now); // Blocks of the rewritten files go without any lookup passing.
      return judge(candidate, candidate.recentLookups(), now, Pool.REWRITE);
    }
    long blockHash = hash.of(candidate.fileId(), candidate.offset());
    if (candidate.isOfferedAgain()) { // Neither counted nor taken for demand once more.
      boolean out = trials.isTried(blockHash, now) || misses.isKeptOut(blockHash, now);
      return judge(candidate, out ? 0 : sketch.count(blockHash), now, Pool.KNOWN_DEMAND);
    }
    Source source = candidate.source();
    if (source == Source.READ) {
      return judgeMissed(candidate, blockHash, now);
    }
    return source == Source.PREFETCH && fills(candidate, blockHash, now)
        ? AdmissionDecision.ADMIT
        : judge(candidate, worth(blockHash, source, now), now, Pool.DEMAND);
  }

  /** Judges a block that a lookup missed: by its count, and by what such blocks turn out to be. */
  private AdmissionDecision judgeMissed(Candidate candidate, long blockHash, long now) {
    int count = sketch.increment(blockHash);
    int kind = MissTrials.kind(count, recent.add(blockHash, now));
    boolean out = trials.ask(blockHash, now);
    if (misses.ask(blockHash, now) || out || count <= 0) {
      return AdmissionDecision.NOT_WORTH_IT;
    }
    int victimWorth = residents.priceNextVictim();
    // Free room is taken from no other block: nothing is weighed, and no trial is worth a miss.
    boolean isFull = victimWorth != VictimPricing.NO_PRICE;
    if (isFull && misses.keepsOut(blockHash, kind, now)) {
      return AdmissionDecision.NOT_WORTH_IT;
    }
    double foreseen = isFull ? foreseen(kind) : Double.NEGATIVE_INFINITY;
    double worth = count;
    if (isFull && misses.forecast(kind) <= residents.victimForecast()) {
      victimWorth = Math.max(victimWorth, residents.leastWorth());
      if (victimWorth >= OFTEN) {
        worth = Math.min(count, MOST_COMPARABLE);
      }
    }
    AdmissionDecision decision = judge(candidate, worth, foreseen, victimWorth, now, Pool.DEMAND);
    if (decision == AdmissionDecision.ADMIT) {
      misses.admitted(blockHash, now);
    } else {
      misses.refused(blockHash, kind, now);
    }
    return decision;
  }

  /**
   * Returns what a block that was missed gains, by what blocks of its kind and victims turned out
   * to be, in recent lookups. The victim's lookups count twice, and a third of a lookup is asked
   * beyond: a swap of about equals is a write for nothing. What is gained beyond what a block's
   * count can be worth tells blocks apart, and no more.
   */
  private double foreseen(int kind) {
    double gain = misses.forecast(kind) - VICTIMS_COUNT * residents.victimForecast() - LEAST_GAINED;
    double span = (double) DemandSketch.CAPACITIES_PER_HALVING / MissTrials.CAPACITIES_PER_TRIAL;
    return gain > 0
        ? DemandSketch.MAX_COUNT * Math.tanh(span * gain / DemandSketch.MAX_COUNT)
        : gain;
  }

  /**
   * Returns whether a block that was read ahead goes into room that is free. None of these
   * continues trial: what they are worth is of no matter before a block has to be evicted.
   */
  private boolean fills(Candidate candidate, long blockHash, long now) {
    if (residents.priceNextVictim() != VictimPricing.NO_PRICE) {
      return false;
    }
    observe(now); // Files may be read ahead, and blocks restored, without any lookup passing.
    boolean isKept = reservedUntil == Long.MAX_VALUE && isReserved(size(candidate.lengthBytes()));
    if (isKept || ask(candidate, Pool.FILL, 0, 0, now, Room.FREE) != AdmissionDecision.ADMIT) {
      return false;
    }
    residents.expect(sketch.count(blockHash) * VictimPricing.LOOKUP_WORTH);
    return true;
  }

  @Override
  public void prime(long fileId, long offset, double recentLookups) {
    sketch.raise(hash.of(fileId, offset), (int) Math.min(DemandSketch.MAX_COUNT, recentLookups));
  }

  /**
   * {@inheritDoc}
   *
   * <p>When no more of them come, the room that is left stays spoken for while as many lookups pass
   * as the cache has blocks, but not for blocks that are read ahead. What was hot is there already
   * or was primed, and who else would fill the room with the first lookup is worth no write.
   */
  @Override
  public void reserve(double recentLookups, long bytes) {
    if (bytes > 0) {
      reservedBlocks = bytes / expectedBlockBytes;
      reserved = recentLookups;
      reservedUntil = Long.MAX_VALUE;
    } else if (reservedUntil == Long.MAX_VALUE) {
      reservedUntil = traffic.lookups() + capacityBlocks;
    }
  }

  /** Returns whether the free room of a block, if it has any, is spoken for by others. */
  private boolean isReserved(double size) {
    synchronized (lock) {
      return budget.free() - size < reservedBlocks;
    }
  }

  @Override
  public double recentMisses(long fileId, long offset) {
    return sketch.count(hash.of(fileId, offset));
  }

  /** Lets time pass, and returns it, in lookups. */
  private long advance() {
    long now = traffic.lookups();
    sketch.age(now);
    residents.advance(now);
    return now;
  }

  private AdmissionDecision judge(Candidate candidate, double worth, long now, Pool pool) {
    return worth <= 0
        ? AdmissionDecision.NOT_WORTH_IT
        : judge(candidate, worth, Double.NEGATIVE_INFINITY, residents.priceNextVictim(), now, pool);
  }

  private AdmissionDecision judge(
      Candidate candidate, double worth, double foreseen, int victimWorth, long now, Pool pool) {
    double size = size(candidate.lengthBytes());
    if (victimWorth == VictimPricing.NO_PRICE
        && now < reservedUntil
        && worth < reserved
        && isReserved(size)) {
      return AdmissionDecision.NOT_WORTH_IT;
    }
    AdmissionDecision decision =
        victimWorth == VictimPricing.NO_PRICE
            ? ask(candidate, pool, worth, 0, now, Room.FREE)
            : ask(
                candidate,
                pool,
                Math.max(foreseen, worth - (double) victimWorth / VictimPricing.LOOKUP_WORTH),
                Math.min(MOST_LEAST_GAIN, leastGain * size),
                now,
                Room.NONE);
    if (decision == AdmissionDecision.ADMIT) {
      residents.expect((int) (worth * VictimPricing.LOOKUP_WORTH));
    }
    return decision;
  }

  /** Returns the worth in recent lookups; 0 for a block on trial. */
  private double worth(long hash, Source source, long now) {
    // A repeated scan asks for the block as well.
    if ((source == Source.SCAN && trials.ask(hash, now)) || trials.isOnTrial(source, hash, now)) {
      return 0;
    }
    return sketch.count(hash) + trials.meanAsked(source) * SourceProbation.sketchSpan();
  }

  /** Asks the budget, and has the candidate keep what paid. */
  private AdmissionDecision ask(
      Candidate candidate, Pool pool, double gain, double leastGain, long now, Room room) {
    double target = overheadTarget.getAsDouble();
    if (now >= nextObservation) {
      observe(now);
    }
    AdmissionDecision decision;
    synchronized (lock) {
      budget.observe(room);
      budget.advance(now, target);
      decision = budget.decide(pool, gain, leastGain, size(candidate.lengthBytes()), target);
    }
    if (decision == AdmissionDecision.ADMIT) {
      candidate.charge(this, POOLS.indexOf(pool));
    }
    return decision;
  }

  @Override
  public boolean readmits(int gain, int lengthBytes) {
    long now = traffic.lookups();
    double target = overheadTarget.getAsDouble();
    if (now >= nextObservation) {
      observe(now);
    }
    synchronized (lock) {
      budget.advance(now, target);
      return budget.readmits(
          (double) gain / VictimPricing.LOOKUP_WORTH, leastGain, size(lengthBytes), target);
    }
  }

  private void observe(long now) {
    long hits = traffic.hits();
    long removed = traffic.removedBlocks();
    long restored = traffic.restoredBlocks();
    misses.advance(now);
    synchronized (lock) {
      budget.restored(restored);
      budget.observe(hits, removed);
    }
    nextObservation = now + lookupsPerObservation;
  }

  @Override
  public void refund(Candidate candidate) {
    Pool pool = POOLS.get((int) candidate.receipt(this));
    synchronized (lock) {
      budget.refund(pool, size(candidate.lengthBytes()));
    }
  }

  @Override
  public void refundReadmission(int lengthBytes) {
    synchronized (lock) {
      budget.refund(Pool.DEMAND, size(lengthBytes));
    }
  }

  @Override
  public OptionalDouble overhead() {
    long now = traffic.lookups(); // It sinks as well, while all lookups hit and nothing is asked.
    synchronized (lock) {
      return OptionalDouble.of(budget.overhead(now));
    }
  }

  /** Returns the length in expected blocks, at least 1: a shorter write is a write all the same. */
  private double size(int lengthBytes) {
    return Math.max(1, lengthBytes / expectedBlockBytes);
  }

  @Override
  public long metadataBytes() {
    return sketch.sizeBytes() + recent.sizeBytes();
  }

  @Override
  public void close() {
    Claims.requireNotHeld(this);
    sketch.close();
    recent.close();
  }
}
