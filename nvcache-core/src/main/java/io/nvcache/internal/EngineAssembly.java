// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static io.nvcache.VictimPricing.UNPRICED;

import io.nvcache.BlockPlacement;
import io.nvcache.Checksum;
import io.nvcache.Restart;
import io.nvcache.VictimPricing;
import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.background.Ending;
import io.nvcache.control.Condition;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.internal.background.LastRound;
import io.nvcache.internal.background.Maintenance;
import io.nvcache.internal.background.MaintenanceThread;
import io.nvcache.internal.background.MediumThread;
import io.nvcache.internal.background.Rounds;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.gate.CallersHold;
import io.nvcache.internal.guard.GuardSettings;
import io.nvcache.internal.guard.MediumGuard;
import io.nvcache.internal.health.BypassReason;
import io.nvcache.internal.health.ConditionWatch;
import io.nvcache.internal.health.DriveWatch;
import io.nvcache.internal.health.Health;
import io.nvcache.internal.health.MediumMonitor;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileIdentities;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.EngineTraffic;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.policy.PolicyFailures;
import io.nvcache.internal.policy.RecentTraffic;
import io.nvcache.internal.policy.RegionPricing;
import io.nvcache.internal.policy.RegisteredFiles;
import io.nvcache.internal.read.BlockReads;
import io.nvcache.internal.read.IndexWalk;
import io.nvcache.internal.read.Lookups;
import io.nvcache.internal.read.MediumFailureHandler;
import io.nvcache.internal.read.Peeks;
import io.nvcache.internal.read.Pins;
import io.nvcache.internal.read.Reader;
import io.nvcache.internal.read.RewriteReads;
import io.nvcache.internal.read.ScratchBuffers;
import io.nvcache.internal.read.Visits;
import io.nvcache.internal.remove.Invalidations;
import io.nvcache.internal.remove.KnownFiles;
import io.nvcache.internal.remove.Reclaimer;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.remove.RestoredSlots;
import io.nvcache.internal.remove.Revocations;
import io.nvcache.internal.remove.SlotEvents;
import io.nvcache.internal.remove.SlotScan;
import io.nvcache.internal.rewrite.EngineRewrite;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.space.Allocator;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.DurableRegions;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.space.RegionAllocator;
import io.nvcache.internal.space.RegionCipher;
import io.nvcache.internal.space.RegionSpace;
import io.nvcache.internal.space.RunAllocator;
import io.nvcache.internal.space.Sizing;
import io.nvcache.internal.space.SlabAllocator;
import io.nvcache.internal.space.Superblock;
import io.nvcache.internal.tune.LiveTuning;
import io.nvcache.internal.tune.MediumProbe;
import io.nvcache.internal.tune.TuningRun;
import io.nvcache.internal.write.Allocation;
import io.nvcache.internal.write.DurableWork;
import io.nvcache.internal.write.FinalWrites;
import io.nvcache.internal.write.Forecasts;
import io.nvcache.internal.write.Inserter;
import io.nvcache.internal.write.Offers;
import io.nvcache.internal.write.Publication;
import io.nvcache.internal.write.RegionDiscard;
import io.nvcache.internal.write.RegionReclaim;
import io.nvcache.internal.write.RegionRestore;
import io.nvcache.internal.write.RegionWork;
import io.nvcache.internal.write.Reinsertion;
import io.nvcache.internal.write.RestoreProgress;
import io.nvcache.internal.write.WriteGovernor;
import io.nvcache.medium.Durability;
import io.nvcache.medium.KeySource;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import io.nvcache.memory.BufferPool;
import io.nvcache.memory.Claims;
import io.nvcache.memory.MemoryLimit;
import io.nvcache.shadow.KeySample;
import io.nvcache.shadow.LiveShadows;
import io.nvcache.shadow.PolicyPair;
import io.nvcache.shadow.ShadowContext;
import io.nvcache.stats.StripedCounters;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Derives the sizes of a cache's parts from its options, and puts the parts together. */
public final class EngineAssembly {
  private static final Logger LOG = LoggerFactory.getLogger(EngineAssembly.class);

  /** That look at an earlier cache's regions at once: a drive answers as many as fast as one. */
  private static final int LOOKERS = 8;

  private final Medium medium;
  private final EngineSettings thresholds;
  private final PolicyPair policies;
  private final StripedCounters counters = new StripedCounters();
  private final Visits visits = new Visits(counters);
  private final RegisteredFiles dataSet = new RegisteredFiles();
  private int expectedBlockBytes;
  private int maxBlockBytes;
  private Sizing.@Nullable Cut cut;
  private @Nullable BlockPlacement placement;
  private @Nullable Restart restart;
  private @Nullable KeySource keys;
  private long discardBytesPerSecond;
  private long hashSeed;

  /** Of each pool; 0 stands for what suits the heap. */
  private long bufferBytes;

  /** Replaces the medium's value. */
  private OptionalDouble writeHarm = OptionalDouble.empty();

  private LongSupplier nanoTime = System::nanoTime;
  private final WriteGovernor governor;
  private boolean background;
  private String builtAt = "an unknown place";
  private Function<String, PolicyPair> presets =
      name -> {
        throw new IllegalArgumentException("there are no policies named '" + name + "'");
      };
  private GuardSettings guards = GuardSettings.STANDARD;
  private final RestoreProgress progress = new RestoreProgress(() -> nanoTime.getAsLong());

  public EngineAssembly(
      Medium medium,
      EngineSettings thresholds,
      AdmissionFactory admission,
      EvictionFactory eviction) {
    this.medium = medium;
    this.thresholds = thresholds;
    this.governor = new WriteGovernor(thresholds, () -> nanoTime.getAsLong());
    this.policies = new PolicyPair(admission, eviction, null);
  }

  /** Sets the mean and the longest block; 0 stands for what suits the medium. */
  public EngineAssembly blockSizes(int expectedBlockBytes, int maxBlockBytes) {
    this.expectedBlockBytes = expectedBlockBytes;
    this.maxBlockBytes = maxBlockBytes;
    return this;
  }

  /** Sets how to divide the medium among blocks, in place of what suits its size. */
  EngineAssembly cut(Sizing.Cut cut) {
    this.cut = cut;
    return this;
  }

  /** Sets how to place blocks, in place of what the medium likes. */
  public EngineAssembly placement(@Nullable BlockPlacement placement) {
    this.placement = placement;
    return this;
  }

  /** Sets what to find of an earlier cache, in place of what the medium keeps. */
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

  /** Bounds each pool of buffers; 0 stands for what suits the heap. */
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

  /** Sets what writes were found to take from reads, in place of what the medium says. */
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
      if (keys != null && sizing.cut() != Sizing.Cut.REGIONS) {
        throw new IllegalArgumentException(
            medium.describe()
                + " places blocks in place, where no key outlives the process; place them in"
                + " regions, or encrypt without a key source");
      }
      if (discardBytesPerSecond > 0) {
        prepareDiscards(sizing);
      }
      if (keys != null && restart == Restart.COLD) {
        prepareEncryption(); // Before the medium is made to forget.
      }
      DurableRegions.@Nullable Identity kept =
          DurableRegions.identify(medium, sizing, hashSeed, restart, keys);
      if (kept != null) {
        hashSeed = kept.hashSeed();
      }
      // In regions, each block has its sum beside it on the medium.
      Checksum checksum = sizing.cut() == Sizing.Cut.REGIONS ? Checksum.NONE : guards.checksum();
      BlockIndex index = new BlockIndex(sizing.indexSlots(), hashSeed, checksum);
      opened.push(index);
      EvictionPolicy eviction =
          policies.newEviction(new EvictionContext(index.slots(), index, thresholds, nanoTime));
      opened.push(eviction);
      VictimPricing residents = eviction instanceof VictimPricing priced ? priced : UNPRICED;
      RegionCipher cipher = cipher(sizing, kept);
      RegionAllocator log = log(sizing, kept, cipher);
      RegionPricing pricing =
          new RegionPricing(
              residents, () -> log != null && log.hasRoomToSpare(), sizing.expectedBlocks());
      AdmissionPolicy admission = admission(sizing, eviction, log == null ? residents : pricing);
      if ((Object) admission != eviction) {
        opened.push(admission);
      }
      PolicyFailures failures = new PolicyFailures();
      Policies guarded =
          new Policies(
              new GuardedAdmission(admission, failures),
              new GuardedEviction(eviction, failures),
              failures);
      BlockTables tables = tables(sizing, index, log, cipher);
      if (keys != null && restart != Restart.COLD) {
        prepareEncryption(); // Last: it may overwrite what an earlier cache left.
      }
      return new Wiring(tables, guarded, pricing, sizing, kept).engine();
    } catch (RuntimeException | Error e) {
      opened.forEach(part -> Claims.closeAfter(e, part));
      throw e;
    }
  }

  private void prepareEncryption() {
    try {
      medium.prepareEncryption();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }

  private void prepareDiscards(Sizing sizing) {
    String asked =
        thresholds.nameOf("discardBytesPerSecond") + " is " + discardBytesPerSecond + ", and ";
    if (sizing.cut() != Sizing.Cut.REGIONS) {
      throw new IllegalArgumentException(
          asked
              + medium.describe()
              + " places blocks in place, where no regions come free; place them in regions, or"
              + " set it to 0");
    }
    try {
      medium.prepareDiscards();
    } catch (IOException e) {
      throw new IllegalArgumentException(asked + e.getMessage() + "; or set it to 0", e);
    }
  }

  private AdmissionPolicy admission(
      Sizing sizing, EvictionPolicy eviction, VictimPricing residents) {
    return policies.newAdmission(
        new AdmissionContext(
            new RecentTraffic(counters, new EngineTraffic(counters, progress::chargedBlocks)),
            dataSet,
            thresholds,
            governor::overheadTarget,
            writeCost().removalWeight(),
            writeCost().harm(),
            sizing.expectedBlocks(),
            sizing.expectedBlockBytes(),
            residents,
            hashSeed),
        eviction);
  }

  private @Nullable RegionAllocator log(
      Sizing sizing, DurableRegions.@Nullable Identity kept, @Nullable RegionCipher cipher) {
    UUID instance = kept == null ? UUID.randomUUID() : kept.instance();
    return sizing.cut() == Sizing.Cut.REGIONS
        ? new RegionAllocator(sizing, medium.alignmentBytes(), instance, cipher)
        : null;
  }

  private BlockTables tables(
      Sizing sizing,
      BlockIndex index,
      @Nullable RegionAllocator log,
      @Nullable RegionCipher cipher) {
    Allocator allocator = log == null ? inPlace(sizing) : log;
    return new BlockTables(
        index,
        new FileTable(BucketLayout.MAX_FILE_NUMBER, hashSeed),
        allocator,
        new MediumSpace(medium, allocator),
        log == null ? null : regionSpace(log, index, cipher));
  }

  private RegionSpace regionSpace(
      RegionAllocator log, BlockIndex index, @Nullable RegionCipher cipher) {
    return new RegionSpace(medium, log, index::keyOf, cipher, bufferBytes(log.maxBlockBytes()));
  }

  private @Nullable RegionCipher cipher(Sizing sizing, DurableRegions.@Nullable Identity kept) {
    if (kept != null) {
      return kept.cipher();
    }
    return keys == null ? null : RegionCipher.ephemeral(sizing);
  }

  /**
   * Returns the sizes where blocks are appended to regions; null where they are placed in place.
   */
  private @Nullable Sizing regionSizing(long capacity, int alignment) {
    if (placement == BlockPlacement.REGIONS && medium.readsWholeBlocks()) {
      throw new IllegalArgumentException(
          "blocks can't be placed in regions on "
              + medium.describe()
              + ", which reads nothing but what was written at once; place them IN_PLACE");
    }
    if (placement == BlockPlacement.IN_PLACE || (placement == null && medium.regionBytes() == 0)) {
      return null;
    }
    try {
      return Sizing.ofRegions(
          capacity, regionBytes(), alignment, expectedBlockBytes, maxBlockBytes);
    } catch (IllegalArgumentException unsuitable) {
      if (placement == BlockPlacement.REGIONS) {
        throw unsuitable;
      }
      LOG.warn(
          "blocks are placed in place on {}, where none outlives a restart: {}",
          medium.describe(),
          unsuitable.getMessage());
      return null;
    }
  }

  private int regionBytes() {
    return medium.regionBytes() == 0 ? Sizing.MAX_REGION_BYTES : medium.regionBytes();
  }

  private static Allocator inPlace(Sizing sizing) {
    return sizing.cut() == Sizing.Cut.RUNS ? new RunAllocator(sizing) : new SlabAllocator(sizing);
  }

  private Sizing sizing() {
    long capacity = medium.capacityBytes();
    int alignment = medium.alignmentBytes();
    Sizing sizing;
    if (cut != null) {
      sizing = Sizing.of(cut, capacity, alignment, expectedBlockBytes, maxBlockBytes);
    } else {
      Sizing regions = regionSizing(capacity, alignment);
      sizing =
          regions == null
              ? Sizing.of(capacity, alignment, expectedBlockBytes, maxBlockBytes)
              : regions;
    }
    if (!sizing.suitsLongestBlocks()) {
      LOG.warn(
          "{} is {}, more than a 64th of the medium's {} bytes: blocks of mixed sizes will leave"
              + " much of it unused. Lower it to your longest block, best to {} or less, or raise"
              + " {}",
          thresholds.nameOf("maxBlockBytes"),
          sizing.maxBlockBytes(),
          capacity,
          Sizing.defaultMaxBlockBytes(capacity),
          thresholds.nameOf("capacityBytes"));
    }
    return sizing;
  }

  /** Puts the classes of one engine together, from what they all use to what calls enter by. */
  private final class Wiring {
    final BlockTables tables;
    final Policies policies;
    final RegionPricing pricing;
    final int expectedBlockBytes;
    final CallGate gate = new CallGate(counters);
    final MediumGuard guard = new MediumGuard(guards, counters, nanoTime);
    final KeySample sample = new KeySample(counters);
    final Maintenance maintenance = thread("maintenance");
    final Maintenance regionThread = thread("regions");
    final LiveShadows shadows;
    final ScratchBuffers scratch;
    final SlotEvents events;
    final Remover remover;
    final BlockReads reads;
    final MediumFailureHandler mediumFailures;
    final FileIdentities identities;
    final @Nullable DurableRegions durable;
    final @Nullable DurableWork durableWork;
    final @Nullable RegionWork regions;
    final Executor revoker = askingThread("revocations");
    final @Nullable Revocations revocations;

    Wiring(
        BlockTables tables,
        Policies policies,
        RegionPricing pricing,
        Sizing sizing,
        DurableRegions.@Nullable Identity kept) {
      this.tables = tables;
      this.policies = policies;
      this.pricing = pricing;
      this.expectedBlockBytes = sizing.expectedBlockBytes();
      this.identities = new FileIdentities(tables.files(), tables.index().slots());
      Allocator allocator = tables.allocator();
      this.shadows = shadows(sample, expectedBlockBytes);
      int longest = allocator.maxBlockBytes();
      this.scratch = new ScratchBuffers(longest, bufferBytes(longest));
      this.events = new SlotEvents(policies.eviction(), tables.files(), gate.holders());
      this.remover = new Remover(tables.index(), allocator, tables.files(), counters, events);
      this.reads = new BlockReads(tables, guard, scratch);
      this.mediumFailures = new MediumFailureHandler(counters, guard, allocator, remover);
      RegionSpace log = tables.regions();
      this.durable =
          log == null || kept == null
              ? null
              : new DurableRegions(medium, log.allocator(), sizing, kept);
      this.durableWork =
          log == null || durable == null ? null : durableWork(durable, log.allocator());
      this.regions = log == null ? null : regions(log);
      this.revocations =
          durable == null || durableWork == null
              ? null
              : new Revocations(
                  durable,
                  durableWork::keepRevocations,
                  revoker,
                  gate,
                  guards.stuckAfter().toNanos());
    }

    private Maintenance thread(String purpose) {
      return background ? new MaintenanceThread(purpose) : Maintenance.BY_CALLER;
    }

    private RegionWork regions(RegionSpace space) {
      SlotScan slots = new SlotScan(tables.index(), gate);
      RegionReclaim reclaim =
          new RegionReclaim(
              tables,
              space.allocator(),
              policies,
              remover,
              slots,
              counters,
              pricing,
              new Reinsertion(tables, space, policies.admission(), governor, counters, guard));
      return new RegionWork(
          space,
          reclaim,
          remover,
          slots,
          counters,
          mediumFailures,
          regionThread,
          durableWork,
          discardBytesPerSecond == 0 ? null : discard(space));
    }

    private RegionDiscard discard(RegionSpace space) {
      return new RegionDiscard(
          space, durable, discardBytesPerSecond, nanoTime, guard, gate, counters);
    }

    private DurableWork durableWork(DurableRegions regions, RegionAllocator allocator) {
      Superblock previous = regions.previous();
      RegionRestore restore = null;
      if (previous == null) {
        progress.cold(regions.reason());
        LOG.info("{} starts cold: {}", medium.describe(), regions.reason());
      } else {
        governor.resumeDay(
            previous.daySpareBytes(), System.currentTimeMillis() - previous.millis());
        restore =
            new RegionRestore(
                tables,
                allocator,
                identities,
                regions::newReader,
                background ? LOOKERS : 1,
                previous,
                new RestoredSlots(events),
                gate,
                counters,
                progress);
      }
      return new DurableWork(
          tables, identities, regions, restore, governor, counters, guard, mediumFailures);
    }

    Engine engine() {
      CallersHold hold = new CallersHold(); // No field: background work holds this object.
      thresholds.changes().heldBy(hold);
      // One thread each: a measurement that takes its time must not put the check off.
      Executor checker = askingThread("check");
      Executor measurer = askingThread("tuning");
      MediumMonitor watch =
          new MediumMonitor(tables, counters, guard, guards, gate, nanoTime, checker);
      Lookups lookups =
          new Lookups(tables, policies.eviction(), counters, visits, reads, mediumFailures);
      Pins pins =
          new Pins(
              tables,
              thresholds,
              counters,
              lookups,
              reads,
              mediumFailures,
              watch.pinLog(),
              bufferBytes(tables.allocator().maxBlockBytes()));
      gate.keepOpen(pins); // They have the medium's handle, which ends it once it is unreachable.
      StatsReader stats =
          new StatsReader(
              tables, policies, counters, dataSet, gate, () -> scratch.bytes() + pins.copyBytes());
      Shutdown closing = closing(stats, pins);
      closing.addCompanion(watch::reportPins);
      addThread(closing, checker);
      addThread(closing, measurer);
      addThread(closing, revoker);
      Offers offers =
          new Offers(gate, guard, counters, visits, inserter(), sample, maintenance, scratch);
      Invalidations invalidations =
          new Invalidations(
              gate, tables.files(), identities(), dataSet, remover, counters, sample, maintenance);
      RewriteReads rewriteReads = new RewriteReads(tables, policies, reads, guard, counters);
      Forecasts forecasts = new Forecasts(gate, policies.admission());
      DroppedCache.watch(hold, closing, medium.describe(), builtAt);
      return new Engine(
          new Reader(gate, guard, counters, visits, lookups, pins, sample, scratch, hold),
          offers,
          invalidations,
          controls(watch, measurer, stats, closing, hold),
          this::start,
          closing,
          () -> new EngineRewrite(gate, rewriteReads, offers, forecasts, hold));
    }

    private KnownFiles identities() {
      return new KnownFiles(identities, revocations);
    }

    private void start(Runnable maintain) {
      maintenance.start(maintain);
      if (regions != null) {
        regionThread.start(regions::run);
        regionThread.wake(); // An earlier cache's blocks are waited for.
      }
    }

    /** Asks the medium; in the caller's thread where the caller maintains the cache. */
    private Executor askingThread(String purpose) {
      return background ? new MediumThread(purpose) : Runnable::run;
    }

    private static void addThread(Shutdown closing, Executor thread) {
      if (thread instanceof AutoCloseable closeable) {
        closing.addCompanion(closeable);
      }
    }

    private Inserter inserter() {
      return new Inserter(
          tables,
          policies.admission(),
          counters,
          governor,
          new Allocation(tables, policies.eviction(), remover, thresholds),
          new Publication(tables, policies.eviction(), remover, events, counters),
          mediumFailures,
          regions);
    }

    private Controls controls(
        MediumMonitor watch,
        Executor measurer,
        StatsReader stats,
        Shutdown closing,
        CallersHold hold) {
      LiveTuning tuning =
          new LiveTuning(
              thresholds,
              bounds ->
                  new TuningRun(
                      thresholds, counters, expectedBlockBytes, nanoTime, shadows, bounds),
              new MediumProbe(tables.space(), guard, gate, nanoTime),
              gate,
              measurer);
      LastRound lastRound = new LastRound(maintenance, shadows::hasDied, nanoTime);
      BypassReason bypass = new BypassReason(thresholds, dataSet, tables.allocator());
      ConditionWatch conditions =
          new ConditionWatch(
              counters,
              guard,
              policies.failures(),
              () -> revocations == null ? null : revocations.trouble(),
              bypass,
              governor::plannedPart,
              lastRound,
              hold,
              nanoTime);
      lookAtMemory(conditions, stats);
      Reclaimer reclaimer =
          new Reclaimer(tables, policies, counters, remover, gate, maintenance, nanoTime);
      Rounds rounds =
          new Rounds(
              lastRound,
              reclaimer::run,
              this::maintainRegions,
              watch::run,
              conditions::look,
              shadows::read,
              tuning::tick);
      return new Controls(
          thresholds,
          dataSet,
          shadows,
          tuning,
          new Health(watch, guard, conditions, new DriveWatch(medium, conditions), lastRound),
          stats,
          rounds,
          tables.files(),
          () -> new IndexWalk(tables, reads, guard, gate, hold),
          new Peeks(tables, reads, guard, gate),
          progress::read,
          medium.describe(),
          closing,
          hold);
    }

    /** Said at the start: the kernel ends a process without a word when its cache has filled. */
    private void lookAtMemory(ConditionWatch conditions, StatsReader stats) {
      boolean isMemory = medium.durability() == Durability.NONE;
      long cacheBytes = stats.read().metadataBytes() + (isMemory ? medium.capacityBytes() : 0);
      String excess = MemoryLimit.ofThisProcess().excess(cacheBytes);
      if (excess != null) {
        conditions.hold(
            Condition.MEMORY_OVERCOMMITTED,
            excess + "; lower " + thresholds.nameOf("capacityBytes") + " or -Xmx");
      }
    }

    /** They have a thread of their own, unless the cache's owner does all work. */
    private void maintainRegions() {
      if (regions != null && !background) {
        regions.run();
      } else if (regions != null) {
        regionThread.wake(); // Files may be gone that had regions for themselves.
      }
    }

    private static void closeLog(@Nullable RegionSpace log) {
      if (log != null) {
        log.close();
      }
    }

    private List<Ending> background() {
      if (regions == null) {
        return List.of(maintenance, regionThread, shadows);
      }
      return revocations == null
          ? List.of(maintenance, regionThread, regions, shadows)
          : List.of(
              maintenance, regionThread, regions, new FinalWrites(regions, revocations), shadows);
    }

    private Shutdown closing(StatsReader stats, Pins pins) {
      return new Shutdown(
          gate,
          background(),
          guards.stuckAfter().toNanos(),
          List.of(
              shadows,
              stats::freeze,
              policies.admission(),
              policies.areOneObject() ? () -> {} : policies.eviction(),
              tables.index(), // After the policies, whose own threads may read its marks.
              scratch,
              () -> closeLog(tables.regions()),
              pins::close));
    }
  }

  private LiveShadows shadows(KeySample sample, int expectedBlockBytes) {
    ShadowContext context =
        new ShadowContext(
            policies,
            presets,
            new EngineTraffic(counters),
            dataSet,
            thresholds,
            writeCost().removalWeight(),
            writeCost().harm(),
            medium.capacityBytes(),
            expectedBlockBytes,
            hashSeed,
            nanoTime);
    return new LiveShadows(sample, counters, context, thresholds.changes(), background);
  }
}
