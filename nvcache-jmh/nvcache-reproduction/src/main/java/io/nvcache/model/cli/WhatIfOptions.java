// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.cli;

import io.nvcache.Calibration;
import io.nvcache.calibrate.DeviceParameters;
import io.nvcache.cli.kit.ByteSize;
import io.nvcache.cli.kit.OptionReader;
import io.nvcache.model.Granularity;
import io.nvcache.model.WhatIf;
import io.nvcache.model.WhatIfReport.Prices;
import io.nvcache.model.load.ClientMix;
import io.nvcache.model.load.KeyDistribution;
import io.nvcache.model.load.Workload;
import io.nvcache.model.machine.CalibratedDevice;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.ModelSystem;
import io.nvcache.model.tier.Systems;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceFormatException;
import io.nvcache.trace.TraceSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the machine and the load to predict. */
final class WhatIfOptions {
  private static final long MIB = 1L << 20;
  private static final long MOST_BYTES = 1L << 44;

  /** An hour of less takes minutes to model, because it can't be divided by a large number. */
  private static final long LEAST_DATA_BYTES = 2L << 30;

  private static final String FOR_THIS_LOAD = "for what is modelled to be fine enough";
  private static final int SCAN_PAGES = 4;
  private static final double LEAST_PRICE = 1e-6;
  private static final double MOST_PRICE = 1e9;

  /** YCSB's core workloads. */
  private enum Mix {
    A(0.5, 0.5, 0, 0),
    B(0.95, 0.05, 0, 0),
    C(1, 0, 0, 0),
    D(0.95, 0, 0.05, 0),
    E(0, 0, 0.05, 0.95);

    private final double reads;
    private final double updates;
    private final double inserts;
    private final double scans;

    Mix(double reads, double updates, double inserts, double scans) {
      this.reads = reads;
      this.updates = updates;
      this.inserts = inserts;
      this.scans = scans;
    }
  }

  @Option(
      names = "--data",
      paramLabel = "SIZE",
      description = "Size of the data set, such as 250GiB.")
  private @Nullable String data;

  @Option(
      names = "--trace",
      paramLabel = "TRACE",
      description =
          "In place of --data and --mix: a trace, as for nvcache trace. It is replayed as fast as"
              + " the clients can, once.")
  private @Nullable String trace;

  @Option(names = "--dram", paramLabel = "SIZE", description = "DRAM for caches.")
  private @Nullable String dramText;

  @Option(names = "--nvram", paramLabel = "SIZE", description = "Size of the second tier.")
  private @Nullable String nvramText;

  private String dram = "";
  private String nvram = "";

  @Option(
      names = "--page-cache",
      paramLabel = "SIZE",
      description =
          "The store's own cache; the rest of DRAM is the kernel's buffer cache. Default: half of"
              + " --dram, at most 40 GB.")
  private @Nullable String pageCache;

  @Option(names = "--mix", paramLabel = "MIX", description = "YCSB's A to E. Default: B.")
  private @Nullable String mixText;

  @Option(
      names = "--distribution",
      paramLabel = "LAW",
      description =
          "Which pages are asked for: zipfian (YCSB), pareto (WiredTiger, the paper), uniform,"
              + " latest. Default: as YCSB has it, latest for D and zipfian for the others.")
  private @Nullable String distribution;

  @Option(
      names = "--clients",
      paramLabel = "N",
      defaultValue = "20",
      description = "Threads, 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private String clients = "";

  @Option(
      names = "--calibration",
      paramLabel = "FILE",
      description =
          "The medium, as nvcache calibrate --json measured it. Default: two Optane DIMMs, as in"
              + " the paper.")
  private @Nullable Path calibration;

  @Option(
      names = "--cores",
      paramLabel = "N",
      defaultValue = "32",
      description = "Processors, 1 to 1024. Default: ${DEFAULT-VALUE}.")
  private String cores = "";

  @Option(
      names = "--disk-read",
      paramLabel = "SIZE",
      defaultValue = "2500000000",
      description = "Bytes a second that the disk reads. Default: ${DEFAULT-VALUE}.")
  private String diskRead = "";

  @Option(
      names = "--disk-write",
      paramLabel = "SIZE",
      defaultValue = "2200000000",
      description = "Bytes a second that the disk writes. Default: ${DEFAULT-VALUE}.")
  private String diskWrite = "";

  @Option(
      names = "--dram-price",
      paramLabel = "PRICE",
      defaultValue = "1",
      description = "Price of a GiB of DRAM. Default: ${DEFAULT-VALUE}.")
  private String dramPrice = "";

  @Option(
      names = "--nvram-price",
      paramLabel = "PRICE",
      defaultValue = "0.38",
      description = "Price of a GiB of NVRAM. Default: ${DEFAULT-VALUE}.")
  private String nvramPrice = "";

  @Option(
      names = "--policy",
      paramLabel = "LIST",
      defaultValue = "default,paper,alloc-read-write,cachelib-p0.1,opencas",
      description =
          "What to compare, between commas; --list-policies names them. Default: ${DEFAULT-VALUE}.")
  private String policies = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of all random choices. Default: ${DEFAULT-VALUE}.")
  private String seed = "";

  private String mix = Mix.B.name();
  private List<ModelSystem> systems = List.of();
  private int threads;
  private long seedNumber;

  /** What can be compared: Memory Mode is modelled for the paper's machine only. */
  static List<ModelSystem> choices() {
    return Systems.all().stream().filter(each -> !each.equals(Systems.MEMORY_MODE)).toList();
  }

  /** Reads and checks what does not need a file. */
  void read(OptionReader reader) {
    dram = required(reader, "--dram", dramText, "give the size of the DRAM for caches");
    nvram = required(reader, "--nvram", nvramText, "give the size of the second tier");
    if ((data == null) == (trace == null)) {
      throw reader.wrong("--data", "give either the size of the data set or a --trace");
    }
    refuseWithTrace(reader, "--mix", mixText);
    refuseWithTrace(reader, "--distribution", distribution);
    String said = mixText;
    mix = said == null ? mix : said;
    systems =
        reader.listOf(
            "--policy", policies, choices().toArray(new ModelSystem[0]), ModelSystem::name);
    reader.decimal("--dram-price", dramPrice, LEAST_PRICE, MOST_PRICE);
    reader.decimal("--nvram-price", nvramPrice, 0, MOST_PRICE);
    threads = (int) reader.wholeNumber("--clients", clients, 1, 1000);
    seedNumber = reader.wholeNumber("--seed", seed, -OptionReader.MAX_SEED, OptionReader.MAX_SEED);
  }

  private static String required(
      OptionReader reader, String option, @Nullable String text, String mistake) {
    if (text == null) {
      throw reader.wrong(option, mistake);
    }
    return text;
  }

  private void refuseWithTrace(OptionReader reader, String option, @Nullable String text) {
    if (trace != null && text != null) {
      throw reader.wrong(option, "it is the trace that says what is asked for; leave one out");
    }
  }

  List<WhatIf.Prediction> predict(OptionReader reader) throws IOException {
    WhatIf.Host host = host(reader);
    List<ModelSystem> compared = asCalibrated(reader);
    String dataText = data;
    if (dataText != null) {
      long bytes = reader.size("--data", dataText, LEAST_DATA_BYTES, MOST_BYTES);
      check(reader, host, WhatIf.granularity(host, (double) bytes));
      return WhatIf.predict(host, workload(reader, bytes), compared, seedNumber);
    }
    Trace read = source(reader).open(null, seedNumber);
    check(reader, host, WhatIf.granularity(read));
    return WhatIf.predict(host, read, threads, compared, seedNumber);
  }

  /** Whether a run can be made of these sizes. */
  private void check(OptionReader reader, WhatIf.Host host, Granularity granularity) {
    if (host.pageBytes() < granularity.leastPageCacheBytes()) {
      throw pageCache == null
          ? reader.outside(
              "--dram", dram, 2 * granularity.leastPageCacheBytes(), MOST_BYTES, FOR_THIS_LOAD)
          : reader.outside(
              "--page-cache",
              pageCache,
              granularity.leastPageCacheBytes(),
              host.dramBytes(),
              FOR_THIS_LOAD);
    }
    long least = granularity.leastNvramBytes();
    double free = host.dramBytes() - host.pageBytes();
    long indexed = (long) (free / host.parameters().dramPerNvramByte());
    if (indexed < least) {
      throw reader.wrong(
          "--page-cache", "it leaves no DRAM for the index of the smallest --nvram; lower it");
    }
    long most = Math.min(granularity.mostNvramBytes(), indexed);
    if (host.nvramBytes() < least || host.nvramBytes() > most) {
      String why =
          host.nvramBytes() > indexed
              ? "for its index has to fit into --dram next to the page cache"
              : FOR_THIS_LOAD;
      throw reader.outside("--nvram", nvram, least, most, why);
    }
  }

  /** With the overhead target that a cache takes over from the calibration. */
  private List<ModelSystem> asCalibrated(OptionReader reader) throws IOException {
    Path file = calibration;
    if (file == null) {
      return systems;
    }
    try {
      double target = Calibration.read(file).overheadTarget();
      return systems.stream()
          .map(each -> each.equals(Systems.DEFAULT) ? Systems.calibrated(target) : each)
          .toList();
    } catch (IllegalArgumentException e) {
      throw reader.wrong("--calibration", String.valueOf(e.getMessage()));
    }
  }

  private TraceSource source(OptionReader reader) {
    String text = trace == null ? "" : trace;
    try {
      TraceSource source = TraceSource.parse(text);
      Path file = source.file();
      if (file != null && !(Files.isRegularFile(file) && Files.isReadable(file))) {
        throw reader.bad("--trace", text, "a file that can be read");
      }
      return source;
    } catch (TraceFormatException e) {
      throw reader.wrong("--trace", String.valueOf(e.getMessage()));
    }
  }

  private WhatIf.Host host(OptionReader reader) throws IOException {
    double read = reader.size("--disk-read", diskRead, MIB, MOST_BYTES);
    double write = reader.size("--disk-write", diskWrite, MIB, MOST_BYTES);
    int processors = (int) reader.wholeNumber("--cores", cores, 1, 1024);
    ModelParameters parameters =
        ModelParameters.PAPER.withHost(processors, read, write).withNvram(medium(reader));
    long dramBytes = reader.size("--dram", dram, MIB, MOST_BYTES);
    long nvramBytes = reader.size("--nvram", nvram, 2 * MIB, MOST_BYTES);
    String own = pageCache;
    long pageBytes = own == null ? 0 : reader.size("--page-cache", own, MIB / 4, dramBytes);
    return new WhatIf.Host(parameters, dramBytes, nvramBytes, pageBytes);
  }

  private DeviceParameters medium(OptionReader reader) throws IOException {
    Path file = calibration;
    if (file == null) {
      return ModelParameters.PAPER.nvram();
    }
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw reader.bad("--calibration", file.toString(), "a file that can be read");
    }
    try {
      return CalibratedDevice.read(file);
    } catch (IllegalArgumentException e) {
      throw reader.wrong("--calibration", String.valueOf(e.getMessage()));
    }
  }

  private Workload workload(OptionReader reader, long bytes) {
    Mix chosen = reader.oneOf("--mix", mix, Mix.values(), Mix::name);
    KeyDistribution law =
        reader.oneOf(
            "--distribution",
            distribution(),
            KeyDistribution.values(),
            each -> each.name().toLowerCase(Locale.ROOT));
    ClientMix group =
        ClientMix.of(threads, chosen.reads, chosen.updates, chosen.inserts, chosen.scans);
    return new Workload(
        "YCSB-" + chosen.name(), List.of(group), law, 0, bytes / 1e9, 0, 60, SCAN_PAGES);
  }

  private String distribution() {
    String said = distribution;
    return said != null ? said : mix.equalsIgnoreCase(Mix.D.name()) ? "latest" : "zipfian";
  }

  /** What is predicted, in words. */
  String load() {
    return trace == null
        ? "YCSB-" + mix.toUpperCase(Locale.ROOT) + " on " + data + ", " + distribution()
        : "trace " + trace;
  }

  Prices prices() {
    double gib = 1L << 30;
    double memory = Double.parseDouble(dramPrice) * bytes(dram) / gib;
    return new Prices(memory, memory + Double.parseDouble(nvramPrice) * bytes(nvram) / gib);
  }

  private static double bytes(String size) {
    return ByteSize.parse(size).map(parsed -> (double) parsed.bytes(0)).orElse(0.0);
  }

  /** What was asked for, as the report shows it. */
  Map<String, String> list() {
    Map<String, String> list = new LinkedHashMap<>();
    list.put("load", load());
    list.put("--dram", dram);
    list.put("--nvram", nvram);
    list.put("--clients", clients);
    list.put("--cores", cores);
    list.put("--disk-read", diskRead);
    list.put("--disk-write", diskWrite);
    list.put("--calibration", calibration == null ? "the paper's DIMMs" : calibration.toString());
    list.put("--dram-price", dramPrice);
    list.put("--nvram-price", nvramPrice);
    list.put("--seed", seed);
    return list;
  }
}
