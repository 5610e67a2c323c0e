// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.OfferResult;
import io.nvcache.device.MediumChoice;
import io.nvcache.hbase.compaction.CompactionOutputs;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.BenchmarkResult.StoreFacts;
import io.nvcache.ycsb.CacheSettings;
import io.nvcache.ycsb.Counters;
import io.nvcache.ycsb.PolicyChoice;
import io.nvcache.ycsb.PolicyResult;
import io.nvcache.ycsb.PolicyResult.Sample;
import io.nvcache.ycsb.RunSettings;
import io.nvcache.ycsb.StoreCall;
import io.nvcache.ycsb.Turn;
import io.nvcache.ycsb.WorkloadChoice;
import io.nvcache.ycsb.WorkloadResult;
import io.nvcache.ycsb.YcsbSettings;
import io.nvcache.ycsb.store.DirectIoStatus;
import io.nvcache.ycsb.store.StoreOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Results made by hand: "none" at 1,000 ops/s and "paper" at 1,500. */
public final class SampleResults {
  private static final int TURNS = 7;

  private SampleResults() {}

  static BenchmarkResult on(MediumChoice medium, DirectIoStatus directIo) {
    YcsbSettings settings =
        new YcsbSettings(
            List.of(WorkloadChoice.C),
            List.of(PolicyChoice.NONE, PolicyChoice.PAPER),
            null,
            new StoreOptions(1000, 10, 100, 16384, 1 << 20, 1 << 20, 4, CompactionOutputs.CARRY),
            new CacheSettings(
                List.of(medium), null, 1, 4 << 20, 0.1, 1000, Duration.ofSeconds(1800)),
            new RunSettings(4, Duration.ofSeconds(10), 0, 0.3, 10, 1),
            Path.of("target"));
    Counters alone = new Counters(7000, 0, 0, 0, Map.of(), 2100, 4900, 4900, 4900 * 16384, 0, 0);
    Counters cached =
        new Counters(
            10_500,
            7000,
            1750,
            700 * 16384,
            Map.of(OfferResult.ADMITTED, 700L, OfferResult.BYPASSED_OVERHEAD, 4550L),
            3500,
            7000,
            5250,
            5250 * 16384,
            0,
            0);
    return new BenchmarkResult(
        settings,
        new StoreFacts(1_500_000, 2, directIo),
        List.of(
            new WorkloadResult(
                WorkloadChoice.C,
                medium,
                100,
                List.of(run(PolicyChoice.NONE, alone), run(PolicyChoice.PAPER, cached)))),
        false);
  }

  public static BenchmarkResult onDisk() {
    return on(
        MediumChoice.EMULATED_NVRAM, new DirectIoStatus(DirectIoStatus.Mode.ENABLED, "asked for"));
  }

  /** One run of "none" that failed as told, or was cut short. */
  public static BenchmarkResult flawed(
      long wrongValues, long failedOperations, boolean interrupted) {
    BenchmarkResult good = onDisk();
    PolicyResult run = good.workloads().get(0).policies().get(0);
    PolicyResult policy =
        new PolicyResult(
            run.policy(),
            run.warmUpSeconds(),
            run.turns(),
            run.latencies(),
            run.samples(),
            run.verifiedReads(),
            wrongValues,
            failedOperations,
            interrupted);
    return new BenchmarkResult(
        good.settings(),
        good.store(),
        List.of(
            new WorkloadResult(
                WorkloadChoice.C, MediumChoice.EMULATED_NVRAM, 100, List.of(policy))),
        interrupted);
  }

  private static PolicyResult run(PolicyChoice policy, Counters counters) {
    Histogram reads = new Histogram(3);
    for (int micros = 1; micros <= 100; micros++) {
      reads.recordValue(micros * 1000L);
    }
    double hits = counters.hitRatio();
    List<Turn> turns =
        IntStream.rangeClosed(4, 10)
            .mapToObj(round -> new Turn(round, 1, ofTurn(counters), 0.05, 0))
            .toList();
    return new PolicyResult(
        policy,
        3,
        turns,
        Map.of(StoreCall.READ, reads),
        List.of(
            new Sample(1, 900, hits / 2, counters.writesPerLookup() * 2),
            new Sample(2, 1000, hits, counters.writesPerLookup())),
        10_000,
        0,
        0,
        false);
  }

  /** A seventh, rounded. */
  private static Counters ofTurn(Counters all) {
    Map<OfferResult, Long> offers = new EnumMap<>(OfferResult.class);
    all.offers().forEach((outcome, count) -> offers.put(outcome, count / TURNS));
    return new Counters(
        all.operations() / TURNS,
        all.lookups() / TURNS,
        all.hits() / TURNS,
        all.mediumWrittenBytes() / TURNS,
        offers,
        all.dramHits() / TURNS,
        all.dramMisses() / TURNS,
        all.diskReads() / TURNS,
        all.diskReadBytes() / TURNS,
        all.compactions() / TURNS,
        all.carriedBlocks() / TURNS);
  }
}
