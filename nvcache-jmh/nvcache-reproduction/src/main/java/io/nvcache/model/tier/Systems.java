// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.BlockCache;
import io.nvcache.admission.AdmissionChain;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.admission.Candidate;
import io.nvcache.admission.CumulativeOverheadBypass;
import io.nvcache.admission.SmallBypass;
import io.nvcache.control.TuningBounds;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.LfruEviction;
import io.nvcache.eviction.WorthEviction;
import io.nvcache.medium.WriteCost;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.CachePolicy.Trigger;
import io.nvcache.model.tier.ModelSystem.Use;
import io.nvcache.rivals.LruEviction;
import io.nvcache.rivals.StaticProbability;
import io.nvcache.rivals.TwoHit;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;

/** The systems that the model knows. */
public final class Systems {
  /** No second tier. */
  public static final ModelSystem NONE =
      new ModelSystem(
          "none",
          "no NVRAM: page cache, buffer cache, disk",
          Use.NOTHING,
          context -> new Tier(context.machine()));

  /** System memory is NVRAM. */
  public static final ModelSystem MEMORY_MODE =
      new ModelSystem(
          "memory-mode",
          "Intel Memory Mode: DRAM is a direct-mapped cache of NVRAM (SoCC '22, §4.1.1)",
          Use.SYSTEM_MEMORY,
          context -> new Tier(context.machine()));

  private static final double TARGET = 0.10;
  private static final Duration WINDOW = Duration.ofMinutes(30);

  /** [F] to Table 1. */
  private static final Duration EAGER_WINDOW = Duration.ofSeconds(10);

  private static final Duration FOREVER = Duration.ofDays(365);
  private static final Set<Trigger> READS_AND_WRITES = EnumSet.of(Trigger.READ, Trigger.WRITE);

  private static final WriteCost PMDK = new WriteCost(1, Integer.MAX_VALUE, 0);

  /** The paper's cache as it is configured by default. */
  public static final ModelSystem PAPER = paper(TARGET);

  /** This project's cache as it is configured by default. */
  public static final ModelSystem DEFAULT = standard(TARGET);

  /** Everything read or written is admitted; nothing is evicted. */
  public static final ModelSystem ALLOC_READ_WRITE =
      variant(
          "alloc-read-write",
          "admits every block read or written, evicts nothing (SoCC '22, lesson 1)",
          AdmissionPresets.admitAll(),
          FOREVER,
          READS_AND_WRITES);

  /** The same, evicting what was not used for ten seconds. */
  public static final ModelSystem EAGER =
      variant(
          "eager",
          "alloc-read-write with eager eviction (SoCC '22, Table 1)",
          AdmissionPresets.admitAll(),
          EAGER_WINDOW,
          READS_AND_WRITES);

  /** Nothing is admitted while the file fits. */
  public static final ModelSystem SMALL_BYPASS =
      variant(
          "small-bypass",
          "alloc-read-write that bypasses small data sets (SoCC '22, lesson 1)",
          AdmissionChain.of(SmallBypass::new),
          FOREVER,
          READS_AND_WRITES);

  /** With the overhead bypass; nothing is evicted. */
  public static final ModelSystem OBP_WITHOUT_EVICTION =
      variant(
          "small-bypass+obp",
          "small bypass and OBP, evicts nothing (SoCC '22, lesson 2)",
          AdmissionPresets.paper(),
          FOREVER,
          READS_AND_WRITES);

  /** Blocks read only. */
  public static final ModelSystem NO_WRITE_ALLOCATE =
      variant(
          "no-write-allocate",
          "admits every block read and none written (SoCC '22, §3.2.3)",
          AdmissionChain.of(SmallBypass::new),
          WINDOW,
          EnumSet.of(Trigger.READ));

  /** The same within the overhead target. */
  public static final ModelSystem NO_WRITE_ALLOCATE_OBP =
      variant(
          "no-write-allocate+obp",
          "the paper's policy that takes no block written (SoCC '22, §3.2.3)",
          AdmissionPresets.paper(),
          WINDOW,
          EnumSet.of(Trigger.READ));

  /** As in the paper's comparison. */
  public static final ModelSystem OPEN_CAS = openCas(BlockDeviceTier.Mode.WRITE_AROUND);

  private static final ModelSystem DM_WRITECACHE =
      blockDevice(
          "dm-writecache",
          "the kernel's dm-writecache: only writes are cached, and written back later",
          BlockDeviceTier.Mode.WRITE_ONLY,
          BlockDeviceTier.Cleaning.WATERMARKS);

  private static final ModelSystem ORTHUS =
      new ModelSystem(
          "orthus",
          "Orthus: fills once, then balances hits between NVRAM and disk (FAST 2021)",
          Use.CACHE,
          context ->
              new OrthusTier(context, lru(context, AdmissionPresets.admitAll(), READS_AND_WRITES)));

  private static final List<ModelSystem> ALL =
      List.of(
          NONE,
          DEFAULT,
          PAPER,
          ALLOC_READ_WRITE,
          SMALL_BYPASS,
          EAGER,
          NO_WRITE_ALLOCATE,
          NO_WRITE_ALLOCATE_OBP,
          MEMORY_MODE,
          OPEN_CAS,
          openCas(BlockDeviceTier.Mode.WRITE_THROUGH),
          openCas(BlockDeviceTier.Mode.WRITE_BACK),
          openCas(BlockDeviceTier.Mode.WRITE_ONLY),
          DM_WRITECACHE,
          staticProbability(0.5),
          staticProbability(0.1),
          staticProbability(0.01),
          rival(
              "cachelib-dynamic-random",
              "CacheLib: admits by lot, steered to 100 MB/s (OSDI 2020)",
              context -> unused -> new RandomToByteRate(context, 100e6)),
          ORTHUS,
          rival(
              "arulraj",
              "N_r and N_w tuned on throughput by annealing (Arulraj et al., 2019)",
              context -> unused -> new AnnealedProbabilities(context)),
          rival(
              "heuristicdb",
              "HeuristicDB: everything but sequential runs",
              context -> unused -> new SequentialBypass()),
          new ModelSystem(
              "flashield",
              "admits what is read again, as Flashield and MyNVM do (NSDI 2019, EuroSys 2018)",
              Use.CACHE,
              context ->
                  new CacheTier(context, lru(context, TwoHit::new, EnumSet.of(Trigger.READ)))),
          new ModelSystem(
              "rocksdb-two-tier",
              "RocksDB's NVM tier: blocks come when DRAM evicts them (Kassa et al., ATC 2021)",
              Use.CACHE,
              context ->
                  new CacheTier(
                      context,
                      lru(context, AdmissionPresets.admitAll(), EnumSet.of(Trigger.PAGE_LEFT)))));

  private Systems() {}

  /** All of them, {@link #NONE} first. */
  public static List<ModelSystem> all() {
    return ALL;
  }

  /** The paper's cache with another overhead target. */
  public static ModelSystem paper(double target) {
    return paper(target, WINDOW);
  }

  /** The same with another window of eviction. */
  public static ModelSystem paper(double target, Duration window) {
    String name =
        (target == TARGET ? "paper" : String.format(Locale.ROOT, "paper@%.0f%%", 100 * target))
            + (window.equals(WINDOW) ? "" : "/" + window.toSeconds() + "s");
    return cache(
        name,
        "the paper's cache: small bypass, OBP, LFRU, PMDK's allocator (SoCC '22, §3)",
        context -> paperPolicy(context, target, window));
  }

  /** This project's cache with another overhead target. */
  public static ModelSystem standard(double target) {
    return cache(
        target == TARGET ? "default" : String.format(Locale.ROOT, "default@%.1f%%", 100 * target),
        "NVCache as it is built without naming policies: by worth, removals write nothing",
        context -> standardPolicy(context, target));
  }

  /** How {@link #DEFAULT} configures the cache. */
  public static CachePolicy standardPolicy(TierContext context) {
    return standardPolicy(context, TARGET);
  }

  private static CachePolicy standardPolicy(TierContext context, double target) {
    return standard(
        context,
        AdmissionChain.of(AdmissionPresets.standard(), unused -> writerTurn(context)),
        target);
  }

  /** How {@link #PAPER} configures the cache. */
  public static CachePolicy paperPolicy(TierContext context) {
    return paperPolicy(context, TARGET, WINDOW);
  }

  private static CachePolicy paperPolicy(TierContext context, double target, Duration window) {
    return pmdk(context, AdmissionPresets.paper(), window, target, READS_AND_WRITES);
  }

  /** The same, moving its target by itself. */
  public static ModelSystem tuned(TuningBounds bounds, double from) {
    return tuned(bounds, from, cache -> {});
  }

  /**
   * The same for an observer of the cache.
   *
   * @param observer is given the cache when it is made
   */
  public static ModelSystem tuned(TuningBounds bounds, double from, Consumer<BlockCache> observer) {
    return new ModelSystem(
        String.format(Locale.ROOT, "tuned from %.1f%%", 100 * from),
        "the default that moves its overhead target by itself",
        Use.CACHE,
        context -> {
          // The first policy made is the cache's; its shadows have no writers to bound.
          AtomicBoolean made = new AtomicBoolean();
          AdmissionFactory admission =
              AdmissionChain.of(
                  AdmissionPresets.standard(),
                  unused ->
                      made.getAndSet(true)
                          ? candidate -> AdmissionDecision.ADMIT
                          : writerTurn(context));
          return new CacheTier(
              context,
              standard(context, admission, from),
              cache -> {
                cache.control().tuning().start(bounds);
                observer.accept(cache);
                return cache;
              });
        });
  }

  private static AdmissionPolicy writerTurn(TierContext context) {
    return new WriterTurn(context.writers(), WriteCost.OPTANE.maxConcurrentWriters());
  }

  private static CachePolicy standard(
      TierContext context, AdmissionFactory admission, double target) {
    ModelParameters parameters = context.machine().parameters();
    return new CachePolicy(
        admission,
        WorthEviction::new,
        WINDOW,
        target,
        WriteCost.OPTANE.withHarm(parameters.nvram().policyHarm()),
        0,
        0,
        parameters.blockBytes(),
        READS_AND_WRITES);
  }

  /** The paper's overhead bypass with eager eviction. */
  public static ModelSystem paperWithEagerEviction() {
    return paper(TARGET, EAGER_WINDOW);
  }

  /** OBP without the small bypass. */
  public static ModelSystem obpOnly() {
    return variant(
        "obp",
        "OBP without the small bypass",
        AdmissionChain.of(CumulativeOverheadBypass::paperFaithful),
        WINDOW,
        READS_AND_WRITES);
  }

  /** CacheLib's admission by lot. */
  public static ModelSystem staticProbability(double probability) {
    return rival(
        String.format(Locale.ROOT, "cachelib-p%s", probability),
        "CacheLib: admits by lot with one probability (OSDI 2020)",
        context -> unused -> new StaticProbability(probability, context.seed()));
  }

  private static ModelSystem variant(
      String name,
      String summary,
      AdmissionFactory admission,
      Duration window,
      Set<Trigger> offers) {
    return cache(name, summary, context -> pmdk(context, admission, window, TARGET, offers));
  }

  /** The paper's index chains its blocks; ours is given slots enough never to displace one. */
  private static CachePolicy pmdk(
      TierContext context,
      AdmissionFactory admission,
      Duration window,
      double target,
      Set<Trigger> offers) {
    ModelParameters parameters = context.machine().parameters();
    return new CachePolicy(
        admission,
        LfruEviction::new,
        window,
        target,
        PMDK,
        parameters.allocationBytes(),
        parameters.removalBytes(),
        parameters.blockBytes() / 2,
        offers);
  }

  private static ModelSystem openCas(BlockDeviceTier.Mode mode) {
    String label = mode.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return blockDevice(
        mode == BlockDeviceTier.Mode.WRITE_AROUND ? "opencas" : "opencas-" + label,
        "Open CAS, " + label + ": LRU by disk address under the buffer cache",
        mode,
        BlockDeviceTier.Cleaning.ON_DEMAND);
  }

  private static ModelSystem blockDevice(
      String name, String summary, BlockDeviceTier.Mode mode, BlockDeviceTier.Cleaning cleaning) {
    return new ModelSystem(
        name,
        summary,
        Use.CACHE,
        context ->
            new BlockDeviceTier(
                context,
                lru(context, AdmissionPresets.admitAll(), READS_AND_WRITES),
                mode,
                cleaning));
  }

  private static ModelSystem rival(
      String name, String summary, Function<TierContext, AdmissionFactory> admission) {
    return cache(
        name, summary, context -> lru(context, admission.apply(context), READS_AND_WRITES));
  }

  private static ModelSystem cache(
      String name, String summary, Function<TierContext, CachePolicy> policy) {
    return new ModelSystem(
        name, summary, Use.CACHE, context -> new CacheTier(context, policy.apply(context)));
  }

  /** LRU in DRAM, whose evictions write nothing. */
  private static CachePolicy lru(
      TierContext context, AdmissionFactory admission, Set<Trigger> offers) {
    ModelParameters parameters = context.machine().parameters();
    EvictionFactory eviction = LruEviction::new;
    return new CachePolicy(
        admission,
        eviction,
        WINDOW,
        TARGET,
        WriteCost.FREE_REMOVALS,
        parameters.allocationBytes(),
        0,
        parameters.blockBytes(),
        offers);
  }

  /**
   * The engine's limit of concurrent writers in virtual time. The engine counts threads inside the
   * medium's write, and here that takes no time; so this link, last in the chain, refuses while as
   * many modelled writes are under way, and the links before it take their decision back, exactly
   * as when the engine answers {@code MEDIUM_BUSY}.
   */
  private static final class WriterTurn implements AdmissionPolicy {
    private final IntSupplier writers;
    private final int maxWriters;

    WriterTurn(IntSupplier writers, int maxWriters) {
      this.writers = writers;
      this.maxWriters = maxWriters;
    }

    @Override
    public AdmissionDecision decide(Candidate candidate) {
      return writers.getAsInt() < maxWriters
          ? AdmissionDecision.ADMIT
          : AdmissionDecision.NOT_WORTH_IT;
    }
  }
}
