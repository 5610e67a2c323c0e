// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.CacheSettings;
import io.nvcache.ycsb.DataSettings;
import io.nvcache.ycsb.MediumChoice;
import io.nvcache.ycsb.RunSettings;
import java.util.LinkedHashMap;
import java.util.Map;

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
    DataSettings data = result.settings().data();
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
    String medium = cache.medium().title();
    if (cache.medium() == MediumChoice.EMULATED_NVRAM) {
      medium += ", speed × " + cache.nvramScale();
    }
    settings.put("Second tier", sizeOf(cache.capacityBytes(), dataBytes) + ", " + medium);
    settings.put("Overhead target", Figures.percent(cache.overheadTarget()));
    settings.put(
        "DRAM taken for page cache",
        cache.smallBypassDramBytes() == 0
            ? "none (small bypass off)"
            : sizeOf(cache.smallBypassDramBytes(), dataBytes));
    settings.put("LFRU window", cache.evictionWindow().toSeconds() + " s");
  }

  private static void putRun(Map<String, String> settings, RunSettings run) {
    settings.put("Clients", run.threads() + ", closed loop");
    String length = run.duration().isZero() ? "" : run.duration().toSeconds() + " s";
    if (run.operations() > 0) {
      length += (length.isEmpty() ? "" : " or ") + Figures.count(run.operations()) + " operations";
    }
    settings.put("Run", length + ", the first " + Figures.percent(run.warmUpShare()) + " warm-up");
    settings.put("Rounds", Integer.toString(run.rounds()));
    settings.put("Seed", Long.toString(run.seed()));
  }

  private static String sizeOf(long bytes, long dataBytes) {
    return Figures.bytes(bytes) + " (" + Figures.percent((double) bytes / dataBytes) + " of data)";
  }
}
