// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static io.nvcache.VictimPricing.UNPRICED;

import io.nvcache.BlockPlacement;
import io.nvcache.Restart;
import io.nvcache.VictimPricing;
import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.guard.GuardSettings;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.policy.EngineTraffic;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.policy.ImportantBlocks;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.policy.PolicyFailures;
import io.nvcache.internal.policy.RecentTraffic;
import io.nvcache.internal.policy.RegisteredFiles;
import io.nvcache.internal.read.Samples;
import io.nvcache.internal.read.Visits;
import io.nvcache.internal.regions.RegionCipher;
import io.nvcache.internal.regions.RegionCodec;
import io.nvcache.internal.restart.RestartIdentity;
import io.nvcache.internal.restart.RestoreProgress;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.settings.WriteGovernor;
import io.nvcache.internal.space.ScratchBuffers;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.KeySource;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import io.nvcache.memory.BufferPool;
import io.nvcache.memory.Claims;
import io.nvcache.shadow.KeySample;
import io.nvcache.shadow.LiveShadows;
import io.nvcache.shadow.PolicyPair;
import io.nvcache.shadow.ShadowContext;
import io.nvcache.stats.LoadTimes;
import io.nvcache.stats.StripedCounters;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Derives the sizes of a cache's parts from its options, and puts the parts together. */
public final class EngineAssembly {
  private final Medium medium;
  private final EngineSettings settings;
  private final PolicyPair policies;
  private final StripedCounters counters = new StripedCounters();
  private final Samples samples =
      new Samples(
          new KeySample(counters),
          new LoadTimes(counters, () -> this.nanoTime.getAsLong()),
          new Visits(counters));
  private final RegisteredFiles dataSet = new RegisteredFiles();
  private int expectedBlockBytes;
  private int maxBlockBytes;
  private Sizing.@Nullable Cut cut;
  private @Nullable BlockPlacement placement;
  private @Nullable Restart restart;
  private @Nullable KeySource keys;
  private long discardBytesPerSecond;
  private long hashSeed;

  /** The bound of each pool of buffers; 0 means what suits the heap. */
  private long bufferBytes;

  /** Replaces the medium's value. */
  private OptionalDouble writeHarm = OptionalDouble.empty();

  private LongSupplier nanoTime = System::nanoTime;
  private final WriteGovernor governor;
  private EngineThreads threads = EngineThreads.OWNERS;
  private String builtAt = "an unknown place";
  private Function<String, PolicyPair> presets =
      name -> {
        throw new IllegalArgumentException("there are no policies named '" + name + "'");
      };
  private GuardSettings guards = GuardSettings.STANDARD;
  private final RestoreProgress progress = new RestoreProgress(() -> nanoTime.getAsLong());

  public EngineAssembly(
      Medium medium,
      EngineSettings settings,
      AdmissionFactory admission,
      EvictionFactory eviction) {
    this.medium = medium;
    this.settings = settings;
    this.governor = new WriteGovernor(settings, () -> nanoTime.getAsLong());
    this.policies = new PolicyPair(admission, eviction, null);
  }

  /** Sets the mean and the longest block; 0 means what suits the medium. */
  public EngineAssembly blockSizes(int expectedBlockBytes, int maxBlockBytes) {
    this.expectedBlockBytes = expectedBlockBytes;
    this.maxBlockBytes = maxBlockBytes;
    return this;
  }

  /** Sets how to divide the medium among blocks, instead of what suits its size. */
  EngineAssembly cut(Sizing.Cut cut) {
    this.cut = cut;
    return this;
  }

  /** Sets how to place blocks, instead of what the medium likes. */
  public EngineAssembly placement(@Nullable BlockPlacement placement) {
    this.placement = placement;
    return this;
  }

  /** Sets what to find of an earlier cache, instead of what the medium keeps. */
  public EngineAssembly restart(@Nullable Restart restart) {
    this.restart = restart;
    return this;
  }

  /** Sets what wraps the key that blocks in regions are sealed with; null if they are not. */
  public EngineAssembly sealedBy(@Nullable KeySource keys) {
    this.keys = keys;
    return this;
  }

  /** Sets how much of regions without blocks is discarded in a second; 0: none. */
  public EngineAssembly discardBytesPerSecond(long bytes) {
    this.discardBytesPerSecond = bytes;
    return this;
  }

  public EngineAssembly hashSeed(long seed) {
    this.hashSeed = seed;
    return this;
  }

  /** Bounds each pool of buffers; 0 means what suits the heap. */
  public EngineAssembly bufferBytes(long bytes) {
    this.bufferBytes = bytes;
    return this;
  }

  private long bufferBytes(int longestBytes) {
    return bufferBytes == 0 ? BufferPool.usualLimitBytes(longestBytes) : bufferBytes;
  }

  public EngineAssembly nanoTime(LongSupplier clock) {
    this.nanoTime = clock;
    return this;
  }

  /** Sets the policies that shadows may be asked to try, by name. */
  public EngineAssembly presets(Function<String, PolicyPair> presets) {
    this.presets = presets;
    return this;
  }

  /** Sets what writes were found to take from reads, instead of what the medium says. */
  public EngineAssembly writeHarm(OptionalDouble bytesNotRead) {
    this.writeHarm = bytesNotRead;
    return this;
  }

  private WriteCost writeCost() {
    WriteCost cost = medium.writeCost();
    return writeHarm.isPresent() ? cost.withHarm(writeHarm.getAsDouble()) : cost;
  }

  public EngineAssembly guards(GuardSettings settings) {
    this.guards = settings;
    return this;
  }

  /** Sets the place that has the cache built, in words. */
  public EngineAssembly builtAt(String place) {
    this.builtAt = place;
    return this;
  }

  public EngineAssembly maintainedInBackground() {
    this.threads = EngineThreads.OWN;
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
      MediumDivision division = new MediumDivision(medium, settings);
      Sizing sizing =
          division.sizing(
              new MediumDivision.Wish(cut, placement, expectedBlockBytes, maxBlockBytes));
      if (keys != null && sizing.cut() != Sizing.Cut.REGIONS) {
        throw new IllegalArgumentException(
            medium.describe()
                + " places blocks in place, where no key outlives the process; place them in"
                + " regions, or encrypt without a key source");
      }
      if (discardBytesPerSecond > 0) {
        division.prepareDiscards(sizing, discardBytesPerSecond);
      }
      if (keys != null && restart == Restart.COLD) {
        division.prepareEncryption(); // Before the medium is made to forget.
      }
      @Nullable RestartIdentity kept =
          RestartIdentity.identify(medium, sizing, hashSeed, restart, keys);
      if (kept != null) {
        hashSeed = kept.hashSeed();
      }
      EngineBase base = base(sizing);
      BlockIndex index = index(sizing);
      opened.push(index);
      EvictionPolicy eviction =
          policies.newEviction(
              new EvictionContext(index.slots(), index.marks(), settings, nanoTime));
      opened.push(eviction);
      VictimPricing residents = eviction instanceof VictimPricing priced ? priced : UNPRICED;
      Shape shape = shape(sizing, base, index, kept, residents);
      AdmissionPolicy admission = admission(sizing, eviction, shape.pricing());
      if ((Object) admission != eviction) {
        opened.push(admission);
      }
      PolicyFailures failures = new PolicyFailures();
      Policies guarded =
          new Policies(
              new GuardedAdmission(admission, counters, failures),
              new GuardedEviction(
                  eviction,
                  failures,
                  new ImportantBlocks(
                      settings,
                      counters,
                      index.slots(),
                      medium.capacityBytes(),
                      sizing.maxBlockBytes())),
              failures);
      if (keys != null && restart != Restart.COLD) {
        division.prepareEncryption(); // Last: it may overwrite what an earlier cache left.
      }
      EngineParts parts = new EngineParts(base, shape.tables(), guarded);
      EngineWiring.Facts facts =
          new EngineWiring.Facts(sizing.expectedBlockBytes(), guards, dataSet, progress, builtAt);
      return new EngineWiring(parts, shape, shadows(sizing), samples, facts).engine();
    } catch (RuntimeException | Error e) {
      opened.forEach(part -> Claims.closeAfter(e, part));
      throw e;
    }
  }

  private EngineBase base(Sizing sizing) {
    int longest = sizing.maxBlockBytes();
    return new EngineBase(
        medium,
        settings,
        counters,
        governor,
        new CallGate(counters),
        new MediumGuard(guards, counters, nanoTime),
        new ScratchBuffers(longest, bufferBytes(longest)),
        threads,
        nanoTime,
        guards.stuckAfter().toNanos(),
        bufferBytes(longest),
        hashSeed);
  }

  private Shape shape(
      Sizing sizing,
      EngineBase base,
      BlockIndex index,
      @Nullable RestartIdentity kept,
      VictimPricing residents) {
    return sizing.cut() == Sizing.Cut.REGIONS
        ? new RegionShape(
            sizing,
            base,
            index,
            kept,
            codec(sizing, kept),
            residents,
            new RegionShape.RegionOptions(discardBytesPerSecond, progress))
        : new SlotShape(sizing, base, index, residents);
  }

  /** Makes the index. Sealed blocks in regions have their proof next to them on the medium. */
  private BlockIndex index(Sizing sizing) {
    if (sizing.cut() != Sizing.Cut.REGIONS) {
      return new BlockIndex(sizing.indexSlots(), hashSeed, guards.checksum());
    }
    return keys == null
        ? BlockIndex.ofVerified(sizing.indexSlots(), hashSeed)
        : new BlockIndex(sizing.indexSlots(), hashSeed);
  }

  private RegionCodec codec(Sizing sizing, @Nullable RestartIdentity kept) {
    if (kept != null) {
      return kept.codec();
    }
    return keys == null ? RegionCodec.CLEAR : RegionCipher.ephemeral(sizing);
  }

  private AdmissionPolicy admission(
      Sizing sizing, EvictionPolicy eviction, VictimPricing residents) {
    return policies.newAdmission(
        new AdmissionContext(
            new RecentTraffic(counters, new EngineTraffic(counters, progress::chargedBlocks)),
            dataSet,
            settings,
            governor::overheadTarget,
            writeCost().removalWeight(),
            writeCost().harm(),
            sizing.expectedBlocks(),
            sizing.expectedBlockBytes(),
            residents,
            hashSeed),
        eviction);
  }

  private LiveShadows shadows(Sizing sizing) {
    ShadowContext context =
        new ShadowContext(
            policies,
            presets,
            new EngineTraffic(counters),
            dataSet,
            settings,
            writeCost().removalWeight(),
            writeCost().harm(),
            medium.capacityBytes(),
            sizing.expectedBlockBytes(),
            hashSeed,
            nanoTime);
    return new LiveShadows(
        samples.keys(), counters, context, settings.changes(), threads == EngineThreads.OWN);
  }
}
