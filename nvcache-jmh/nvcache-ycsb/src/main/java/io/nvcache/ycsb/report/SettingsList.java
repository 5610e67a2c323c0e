// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.report;

import io.nvcache.device.MediumChoice;
import io.nvcache.hbase.compaction.CompactionOutputs;
import io.nvcache.report.Figures;
import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.CacheSettings;
import io.nvcache.ycsb.RunSettings;
import io.nvcache.ycsb.store.StoreOptions;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The settings in words, by name. */
final class SettingsList {
  private SettingsList() {}

  static Map<String, String> of(BenchmarkResult result) {
    Map<String, String> settings = new LinkedHashMap<>();
    putData(settings, result);
    putCache(settings, result);
    putRun(settings, result.settings().run());
    return settings;
  }

  private static void putData(Map<String, String> settings, BenchmarkResult result) {
    StoreOptions data = result.settings().data();
    settings.put(
        "Data set",
        "%s records of %d × %d B; %s in %d files"
            .formatted(
                Figures.count(data.records()),
                data.fieldCount(),
                data.fieldLengthBytes(),
                Figures.bytes(result.store().dataBytes()),
                result.store().fileCount()));
    settings.put("Block size", Figures.bytes(data.blockBytes()));
    settings.put("DRAM tier", sizeOf(data.dramTierBytes(), result.store().dataBytes()));
  }

  private static void putCache(Map<String, String> settings, BenchmarkResult result) {
    CacheSettings cache = result.settings().cache();
    long dataBytes = result.store().dataBytes();
    String media =
        cache.media().stream()
            .map(medium -> title(medium, cache))
            .collect(Collectors.joining("; "));
    settings.put("Second tier", sizeOf(cache.capacityBytes(), dataBytes) + ", " + media);
    settings.put("Overhead target", Figures.percent(cache.overheadTarget()));
    settings.put(
        "DRAM taken for page cache",
        cache.smallBypassDramBytes() == 0
            ? "none (small bypass off)"
            : sizeOf(cache.smallBypassDramBytes(), dataBytes));
    settings.put("LFRU window", cache.evictionWindow().toSeconds() + " s");
    settings.put("Heat across compactions", heatLabel(result.settings().data()));
  }

  /** Returns whether second tiers carry heat, as on the command line. */
  static String heatLabel(StoreOptions data) {
    return data.compactionOutputs() == CompactionOutputs.CARRY ? "on" : "off";
  }

  static String title(MediumChoice medium, CacheSettings cache) {
    return medium == MediumChoice.EMULATED_NVRAM
        ? medium.title() + " at " + cache.nvramScale() + " × the speed of the paper's"
        : medium.title();
  }

  private static void putRun(Map<String, String> settings, RunSettings run) {
    settings.put("Clients", run.threads() + ", closed loop");
    String length = run.duration().isZero() ? "" : run.duration().toSeconds() + " s";
    if (run.operations() > 0) {
      length += (length.isEmpty() ? "" : " or ") + Figures.count(run.operations()) + " operations";
    }
    settings.put("Run of each policy", length);
    settings.put(
        "Rounds", run.rounds() + ", of which the first " + run.warmUpRounds() + " are warm-up");
    settings.put("Seed", Long.toString(run.seed()));
  }

  private static String sizeOf(long bytes, long dataBytes) {
    return Figures.bytes(bytes) + " (" + Figures.percent((double) bytes / dataBytes) + " of data)";
  }
}
