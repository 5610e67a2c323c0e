// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.Residents;
import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import io.nvcache.memory.Claims;
import io.nvcache.shadow.KeySample;
import io.nvcache.shadow.LiveShadows;
import io.nvcache.shadow.PolicyPair;
import io.nvcache.shadow.ShadowContext;
import io.nvcache.stats.StripedCounters;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Derives the sizes of a cache's parts from its options, and puts the parts together. */
public final class EngineAssembly {
  private static final Logger LOG = LoggerFactory.getLogger(EngineAssembly.class);

  private final Medium medium;
  private final Thresholds thresholds;
  private final PolicyPair policies;
  private int expectedBlockBytes;
  private int maxBlockBytes;
  private Sizing.@Nullable Cut cut;
  private long hashSeed;

  /** Not a number: as the medium says. */
  private double writeHarm = Double.NaN;

  private LongSupplier nanoTime = System::nanoTime;
  private boolean background;
  private Function<String, PolicyPair> presets =
      name -> {
        throw new IllegalArgumentException("there are no policies named '" + name + "'");
      };
  private GuardSettings guards = GuardSettings.STANDARD;

  public EngineAssembly(
      Medium medium, Thresholds thresholds, AdmissionFactory admission, EvictionFactory eviction) {
    this.medium = medium;
    this.thresholds = thresholds;
    this.policies = new PolicyPair(admission, eviction, null);
  }

  /** Sets the mean and the longest block; 0 stands for what suits the medium. */
  public EngineAssembly blockSizes(int expectedBlockBytes, int maxBlockBytes) {
    this.expectedBlockBytes = expectedBlockBytes;
    this.maxBlockBytes = maxBlockBytes;
    return this;
  }

  /** How to divide the medium among blocks, in place of what suits its size. */
  EngineAssembly cut(Sizing.Cut cut) {
    this.cut = cut;
    return this;
  }

  public EngineAssembly hashSeed(long seed) {
    this.hashSeed = seed;
    return this;
  }

  public EngineAssembly nanoTime(LongSupplier clock) {
    this.nanoTime = clock;
    return this;
  }

  /** The policies that shadows may be asked to try, by name. */
  public EngineAssembly presets(Function<String, PolicyPair> presets) {
    this.presets = presets;
    return this;
  }

  /** What writes were found to take from reads, in place of what the medium says. */
  public EngineAssembly writeHarm(double bytesNotRead) {
    this.writeHarm = bytesNotRead;
    return this;
  }

  private WriteCost writeCost() {
    return Double.isNaN(writeHarm) ? medium.writeCost() : medium.writeCost().withHarm(writeHarm);
  }

  public EngineAssembly guards(GuardSettings settings) {
    this.guards = settings;
    return this;
  }

  public EngineAssembly maintainedInBackground() {
    this.background = true;
    return this;
  }

  /**
   * Builds the cache, which closes the medium when it is closed. If it can't be built, all that was
   * made for it is closed; the medium stays open.
   *
   * @throws IllegalArgumentException if the medium does not suit the blocks
   * @throws IllegalStateException if a policy belongs to another cache
   */
  public Engine assemble() {
    Deque<AutoCloseable> opened = new ArrayDeque<>();
    try {
      Sizing sizing = sizing();
      BlockIndex index = new BlockIndex(sizing.indexSlots(), hashSeed, guards.checksum());
      opened.push(index);
      EvictionPolicy eviction =
          policies.newEviction(new EvictionContext(index.slots(), index, thresholds, nanoTime));
      opened.push(eviction);
      EngineParts parts = parts(sizing, index, eviction, opened);
      return engine(parts, background ? new MaintenanceThread() : Maintenance.BY_CALLER);
    } catch (RuntimeException | Error e) {
      opened.forEach(part -> Claims.closeAfter(e, part));
      throw e;
    }
  }

  private Sizing sizing() {
    long capacity = medium.capacityBytes();
    int alignment = medium.alignmentBytes();
    Sizing sizing =
        cut == null
            ? Sizing.of(capacity, alignment, expectedBlockBytes, maxBlockBytes)
            : Sizing.of(cut, capacity, alignment, expectedBlockBytes, maxBlockBytes);
    if (!sizing.suitsLongestBlocks()) {
      LOG.warn(
          "{} is {}, more than a 64th of the medium's {} bytes: blocks of mixed sizes will leave much"
              + " of it unused. Lower it to your longest block, best to {} or less, or raise {}",
          thresholds.nameOf("maxBlockBytes"),
          sizing.maxBlockBytes(),
          capacity,
          Sizing.defaultMaxBlockBytes(capacity),
          thresholds.nameOf("capacityBytes"));
    }
    return sizing;
  }

  /**
   * Whoever maintains the cache himself asks the medium himself, so that virtual time is one
   * thread's.
   */
  private Engine engine(EngineParts parts, Maintenance maintenance) {
    LiveShadows shadows = shadows(parts);
    if (!background) {
      return new Engine(parts, maintenance, shadows, Runnable::run, Runnable::run);
    }
    // One each: a measurement that takes its time must not put the check off.
    MediumThread checker = new MediumThread("check");
    MediumThread measurer = new MediumThread("tuning");
    Engine engine = new Engine(parts, maintenance, shadows, checker, measurer);
    engine.addCompanion(checker);
    engine.addCompanion(measurer);
    return engine;
  }

  private LiveShadows shadows(EngineParts parts) {
    ShadowContext context =
        new ShadowContext(
            policies,
            presets,
            new EngineTraffic(parts.counters()),
            parts.dataSet(),
            thresholds,
            writeCost().removalWeight(),
            writeCost().harm(),
            medium.capacityBytes(),
            parts.expectedBlockBytes(),
            hashSeed,
            nanoTime);
    return new LiveShadows(
        parts.sample(), parts.counters(), context, thresholds.changes(), background);
  }

  private EngineParts parts(
      Sizing sizing, BlockIndex index, EvictionPolicy eviction, Deque<AutoCloseable> opened) {
    StripedCounters counters = new StripedCounters();
    RegisteredFiles dataSet = new RegisteredFiles();
    AdmissionPolicy admission =
        policies.newAdmission(
            new AdmissionContext(
                new EngineTraffic(counters),
                dataSet,
                thresholds,
                writeCost().removalWeight(),
                writeCost().harm(),
                sizing.expectedBlocks(),
                sizing.expectedBlockBytes(),
                eviction instanceof Residents priced ? priced : Residents.UNPRICED,
                hashSeed),
            eviction);
    if ((Object) admission != eviction) {
      opened.push(admission);
    }
    Allocator allocator =
        sizing.cut() == Sizing.Cut.RUNS ? new RunAllocator(sizing) : new SlabAllocator(sizing);
    PolicyFailures failures = new PolicyFailures();
    return new EngineParts(
        index,
        allocator,
        new FileTable(BucketLayout.MAX_FILE_NUMBER, hashSeed),
        new Space(medium, allocator),
        new GuardedAdmission(admission, failures),
        new GuardedEviction(eviction, failures),
        counters,
        dataSet,
        thresholds,
        sizing.expectedBlockBytes(),
        sizing.maxBlockBytes(),
        nanoTime,
        failures,
        guards,
        new MediumGuard(guards, counters, nanoTime),
        new KeySample(counters));
  }
}
