// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import io.nvcache.report.Figures;
import io.nvcache.report.HostMachine;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.JsonRecords.Entry;
import io.nvcache.report.MarkdownTable;
import io.nvcache.report.Measurements;
import io.nvcache.report.TableView;
import io.nvcache.report.chart.DotChart;
import io.nvcache.report.chart.DotChart.Fill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The paired comparison as a page of Markdown: the template says what was measured and how, and the
 * tables in it are views of one run's measurements.
 */
public final class PerformanceReport {
  static final String NVCACHE = "nvcache";
  static final String RATIO = "_ratio_to_raw";

  private static final String TEMPLATE = "performance.md";

  /** The lengths of blocks that are shown, in bytes, and the one that has more cells. */
  private static final List<String> LENGTHS = List.of("4096", "16384", "65536");

  private static final String BROAD = "16384";

  /** A cache that turns away what it is given is quick at that, and never called the best. */
  private static final double LEAST_RETAINED = 0.5;

  private final Measurements all;

  /** Those on the first JDK, with nothing said about pages. */
  private final Measurements records;

  private final List<String> arguments;
  private final List<String> failures;

  /**
   * Makes a report.
   *
   * @param records of one run
   * @param arguments the run's
   * @param failures what could not be measured, and why
   */
  public PerformanceReport(List<Entry> records, List<String> arguments, List<String> failures) {
    this.all = Measurements.of(records);
    this.records = all.where(Map.of("jdk", firstJdk(), "hugePages", "default"));
    this.arguments = List.copyOf(arguments);
    this.failures = List.copyOf(failures);
  }

  private String firstJdk() {
    return all.values("jdk").stream().findFirst().orElse("");
  }

  /** Writes the page, and its chart as {@code images/NAME.svg} next to it. */
  public void write(Path page) throws IOException {
    String name = page.getFileName().toString().replaceFirst("\\.[^.]*$", "") + ".svg";
    Path images = page.toAbsolutePath().resolveSibling("images");
    Files.writeString(Files.createDirectories(images).resolve(name), chart());
    Files.writeString(page, text("![What a copying hit costs in each cache](images/" + name + ")"));
  }

  /** Draws what a copying hit costs: a row for each cache, a dot for each length. */
  private String chart() {
    DotChart chart =
        new DotChart(
            "Hit, copied to a heap array: processor time ÷ the bare copy's",
            "ratio; less is better",
            "");
    Measurements hits = operation("hit_copy").where(cell("heap", "uniform", "1"));
    for (String bytes : LENGTHS) {
      for (String cache : hits.values("impl")) {
        double ratio = hits.value("hit_copy" + RATIO, Map.of("impl", cache, "blockBytes", bytes));
        chart.add("", cache, length(bytes), ratio, Fill.SOLID);
      }
    }
    return chart.svg();
  }

  String text(String chart) throws IOException {
    Map<String, String> slots = new LinkedHashMap<>();
    slots.put("command", command());
    slots.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    slots.put("machine", machine());
    slots.put("chart", chart);
    slots.put("goals", new Goals(all, records).toString());
    slots.put("streams", streams());
    slots.put("hit_copy", hitCopy());
    slots.put("hit_touch", hitTouch());
    slots.put("miss", miss("miss"));
    slots.put("miss_file", miss("miss_file"));
    slots.put("insert", written("insert", twoThreads(lengths("insert", "direct"), "insert")));
    slots.put("insert_latency", insertLatency());
    slots.put("replace", written("replace", lengths("replace", "direct")));
    slots.put("index", index());
    slots.put("overflow", overflow());
    slots.put("memory", memory());
    slots.put("hot", hot());
    slots.put("huge_pages", hugePages());
    slots.put("shadows", shadows());
    slots.put("jdks", jdks());
    slots.put("noise", noise());
    slots.put("failures", failures());
    return HtmlPage.fill(HtmlPage.template(PerformanceReport.class, TEMPLATE), slots);
  }

  /** How to do it again elsewhere: without where the records went, and where the JDKs lie. */
  private String command() {
    StringBuilder command = new StringBuilder("scripts/bench");
    for (int i = 0; i < arguments.size(); i++) {
      switch (arguments.get(i)) {
        case "--json" -> i++;
        case "--java-home" -> {
          command.append(" --jdk25");
          i++;
        }
        default -> command.append(' ').append(arguments.get(i));
      }
    }
    return command.toString();
  }

  private String machine() {
    Map<String, String> facts = HostMachine.describeHardware();
    facts.put("JDK", String.join(", ", all.values("jdk")));
    return facts.entrySet().stream()
        .map(fact -> "| " + fact.getKey() + " | " + fact.getValue() + " |")
        .collect(Collectors.joining("\n", "| | |\n|---|---|\n", ""));
  }

  private Measurements operation(String operation) {
    return records.where("op", operation);
  }

  private static Map<String, String> cell(String buffer, String dist, String threads) {
    return Map.of("buffer", buffer, "dist", dist, "threads", threads);
  }

  private static Map<String, String> cell(
      String bytes, String buffer, String dist, String threads) {
    return Map.of("blockBytes", bytes, "buffer", buffer, "dist", dist, "threads", threads);
  }

  static String length(String bytes) {
    return Figures.bytes(Long.parseLong(bytes));
  }

  /** Median and quartiles, as in {@code 1.12 (1.10–1.14)}. */
  static String withQuartiles(Measurements cell, String metric) {
    return withQuartiles(cell, metric, "%.2f");
  }

  private static String withQuartiles(Measurements cell, String metric, String format) {
    double median = cell.value(metric);
    return Double.isNaN(median)
        ? Figures.UNKNOWN
        : "%s (%s–%s)"
            .formatted(
                Figures.number(median, format),
                Figures.number(cell.value(metric + "_q1"), format),
                Figures.number(cell.value(metric + "_q3"), format));
  }

  private static TableView caches() {
    return TableView.by("impl").headed("cache");
  }

  /** Adds an operation's ratios in the cell with these labels, the least in bold. */
  private TableView ratios(
      TableView view, String name, String operation, Map<String, String> having) {
    double least =
        eligible(operation(operation).where(having), operation).stream()
            .mapToDouble(Entry::value)
            .min()
            .orElse(0);
    return view.column(
        name,
        ofCache -> {
          Measurements own = ofCache.where(having);
          String text = withQuartiles(own, operation + RATIO);
          return own.value(operation + RATIO) == least ? "**" + text + "**" : text;
        });
  }

  /** Returns the ratios of those caches in a cell that kept enough of what was written. */
  static List<Entry> eligible(Measurements cell, String operation) {
    String retained = operation + "_retained_ratio";
    return cell.records().stream()
        .filter(entry -> entry.metric().equals(operation + RATIO))
        .filter(
            entry ->
                !(cell.value(retained, Map.of("impl", entry.labels().getOrDefault("impl", "")))
                    < LEAST_RETAINED))
        .toList();
  }

  /** Returns the caches with a column for each length of blocks. */
  private TableView lengths(String operation, String buffer) {
    TableView view = caches();
    for (String bytes : LENGTHS) {
      view = ratios(view, length(bytes), operation, cell(bytes, buffer, "uniform", "1"));
    }
    return view;
  }

  private TableView twoThreads(TableView view, String operation) {
    String buffer = operation.startsWith("hit") ? "heap" : "direct";
    return ratios(view, "16 KiB, 2 threads", operation, cell(BROAD, buffer, "uniform", "2"));
  }

  private static TableView garbage(TableView view, Map<String, String> usual) {
    return view.figure("B/op", "alloc_bytes_per_op", "%.0f", usual);
  }

  private String hitCopy() {
    String copy = "hit_copy";
    TableView view = lengths(copy, "heap");
    view = ratios(view, "16 KiB, direct buffer", copy, cell(BROAD, "direct", "uniform", "1"));
    view = ratios(view, "16 KiB, zipfian", copy, cell(BROAD, "heap", "zipfian", "1"));
    return garbage(twoThreads(view, copy), cell(BROAD, "heap", "uniform", "1"))
        .markdown(operation(copy));
  }

  private String hitTouch() {
    Map<String, String> usual = cell(BROAD, "heap", "uniform", "1");
    TableView view =
        twoThreads(lengths("hit_touch", "heap"), "hit_touch")
            .figure("ns", "hit_touch_cpu_nanos", "%.0f", usual)
            .figure("bare touch, ns", "raw_cpu_nanos", "%.0f", usual);
    return garbage(view, usual).markdown(operation("hit_touch"));
  }

  /** Of blocks of a known file, and of a file without any block. */
  private String miss(String operation) {
    Map<String, String> usual = cell(BROAD, "heap", "uniform", "1");
    TableView view =
        ratios(caches(), "÷ bare touch", operation, usual)
            .figure("ns", operation + "_cpu_nanos", "%.0f", usual);
    return garbage(view, usual).markdown(operation(operation));
  }

  private String written(String operation, TableView ratios) {
    Map<String, String> usual = cell(BROAD, "direct", "uniform", "1");
    TableView view =
        ratios
            .figure("wall", operation + "_wall_ratio_to_raw", "%.2f", usual)
            .figure("other threads, ns", "background_cpu_nanos", "%.0f", usual);
    return garbage(view, usual)
        .figure("still there", operation + "_retained_ratio", "%.3f", usual)
        .markdown(operation(operation));
  }

  /** What the order in which NVCache copies is worth, without a cache. */
  private String streams() {
    TableView view =
        TableView.by("op")
            .headed("in streams ÷ in one pass")
            .titled(operation -> operation.equals("insert") ? "write" : "copy");
    for (String bytes : List.of("16384", "65536")) {
      view =
          view.column(
              length(bytes),
              own -> withQuartiles(own.where("blockBytes", bytes), "raw_streams_ratio_to_raw"));
    }
    return view.markdown(operations("hit_copy", "insert"));
  }

  private Measurements operations(String... some) {
    return records.matching(entry -> List.of(some).contains(entry.labels().getOrDefault("op", "")));
  }

  private String insertLatency() {
    TableView view = caches();
    for (String p : List.of("50", "99", "99.9", "99.99", "100")) {
      String name = p.equals("100") ? "longest" : "p" + p;
      view = view.figure(name, "insert_latency", "%.1f", Map.of("percentile", p));
    }
    Map<String, String> rare = Map.of("percentile", "99.99");
    view = view.figure("bare write, p99.99", "raw_write_latency", "%.1f", rare);
    Measurements nvcache = records.where("impl", NVCACHE);
    return view.markdown(records)
        + "\n\nWithout the copy, an insert of NVCache takes "
        + withQuartiles(nvcache, "insert_without_copy_ratio_to_raw")
        + " of the bare write: "
        + Figures.number(nvcache.value("insert_without_copy_cpu_nanos"), "%.0f")
        + " ns for admission, space, index and eviction.";
  }

  private String hot() {
    return caches()
        .column("÷ bare copy, 2 threads", own -> withQuartiles(own, "hit_copy" + RATIO))
        .column("together ÷ alone", own -> withQuartiles(own, "together_ratio_to_alone"))
        .column(
            "bare copy, together ÷ alone", own -> withQuartiles(own, "raw_together_ratio_to_alone"))
        .markdown(operation("hit_copy").where(cell(BROAD, "heap", "hot", "2")));
  }

  private String index() {
    Map<String, String> lookup = Map.of("op", "index_lookup");
    return TableView.by("entries")
        .titled(n -> Figures.count(Long.parseLong(n)))
        .column("hit", own -> withQuartiles(own, "index_lookup_ratio_to_dram_read"))
        .column("miss", own -> withQuartiles(own, "index_miss_ratio_to_dram_read"))
        .column("all of get but the copy", own -> getOfAbout(own.values("entries").get(0)))
        .figure("ns", "index_lookup_cpu_nanos", "%.0f")
        .figure("a read of DRAM, ns", "raw_cpu_nanos", "%.0f", lookup)
        .figure("bytes per entry", "index_bytes_per_entry", "%.1f")
        .markdown(operations("index_lookup", "index_miss"));
  }

  /** The cache holds a few blocks more or less than the bare index of the same size. */
  private String getOfAbout(String entries) {
    double wanted = Double.parseDouble(entries);
    Measurements lookups = operation("lookup");
    return lookups.values("entries").stream()
        .filter(held -> Math.abs(Double.parseDouble(held) / wanted - 1) < 0.1)
        .map(held -> withQuartiles(lookups.where("entries", held), "lookup_ratio_to_dram_read"))
        .findFirst()
        .orElse(Figures.UNKNOWN);
  }

  private String overflow() {
    return TableView.by("load")
        .headed("index filled to")
        .column(
            "found no slot",
            "index_refused_ratio",
            ratio -> String.format(Locale.ROOT, "%.4f %%", 100 * ratio))
        .markdown(records);
  }

  private String memory() {
    Measurements weighed = records.matching(entry -> !entry.labels().containsKey("op"));
    Measurements empty = weighed.where("entries", "0");
    Measurements full = weighed.matching(entry -> !"0".equals(entry.labels().get("entries")));
    String bytes = "dram_bytes_per_block";
    TableView view =
        caches()
            .column(
                "blocks",
                own ->
                    own.matching(entry -> entry.metric().equals(bytes)).values("entries").stream()
                        .map(held -> Figures.count(Long.parseLong(held)))
                        .findFirst()
                        .orElse(Figures.UNKNOWN))
            .figure("DRAM per block, B", bytes, "%.1f")
            .figure("as counted", "metadata_bytes_per_block", "%.1f")
            .figure("heap objects per block", "heap_objects_per_block", "%.3f");
    view = of(full, view, "pause, ms per GiB: full", "gc_pause_ms_per_gib", "%.1f");
    view = of(empty, view, "empty", "gc_pause_ms_per_gib", "%.1f");
    view = of(full, view, "full collection, ms: full", "full_gc_pause_ms", "%.0f");
    view = of(empty, view, "empty", "full_gc_pause_ms", "%.0f");
    double own = weighed.value("default_policy_metadata_bytes_per_block");
    return Double.isNaN(own)
        ? view.markdown(weighed)
        : view.markdown(weighed)
            + "\n\nThe caches compared admit every block. With its default policies, which remember keys"
            + " that\nare not cached, nvcache counts "
            + Figures.number(own, "%.1f")
            + " bytes for each block.";
  }

  /** Adds a column of those measurements of a cache that are among some. */
  private static TableView of(
      Measurements some, TableView view, String name, String metric, String format) {
    return view.column(
        name, own -> withQuartiles(some.where("impl", own.values("impl").get(0)), metric, format));
  }

  private String hugePages() {
    Measurements ofCache = all.where(Map.of("impl", NVCACHE, "jdk", firstJdk()));
    Measurements huge = ofCache.where("hugePages", "on");
    Measurements base = ofCache.where("hugePages", "default");
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "nvcache",
                "÷ limit",
                "÷ limit, huge pages",
                "ns",
                "ns, huge pages",
                "limit, ns",
                "limit, ns, huge pages"));
    for (String operation : List.of("hit_copy", "hit_touch", "insert")) {
      String buffer = operation.equals("insert") ? "direct" : "heap";
      Map<String, String> cell = cell(BROAD, buffer, "uniform", "1");
      Measurements off = base.where("op", operation).where(cell);
      Measurements on = huge.where("op", operation).where(cell);
      addHuge(table, operation.replace('_', ' '), operation + RATIO, off, on);
    }
    String lookup = "index_lookup";
    for (String entries : huge.where("op", lookup).values("entries")) {
      Map<String, String> size = Map.of("op", lookup, "entries", entries);
      String ratio = lookup + "_ratio_to_dram_read";
      addHuge(table, "index lookup " + entries, ratio, base.where(size), huge.where(size));
    }
    return table
        + "\n\nOf the memory of these processes, "
        + Figures.number(huge.value("huge_page_share"), "%.2f")
        + " lay on huge pages with the settings, and "
        + Figures.number(base.value("huge_page_share"), "%.2f")
        + " without.";
  }

  private static void addHuge(
      MarkdownTable table, String name, String ratio, Measurements off, Measurements on) {
    String nanos = ratio.substring(0, ratio.indexOf("_ratio")) + "_cpu_nanos";
    table.add(
        List.of(
            name,
            withQuartiles(off, ratio),
            withQuartiles(on, ratio),
            Figures.number(off.value(nanos), "%.0f"),
            Figures.number(on.value(nanos), "%.0f"),
            Figures.number(off.value("raw_cpu_nanos"), "%.0f"),
            Figures.number(on.value("raw_cpu_nanos"), "%.0f")));
  }

  private String shadows() {
    MarkdownTable table = new MarkdownTable(List.of("block", "keys sampled", "with ÷ without"));
    Measurements hits = operation("shadowed_hit");
    for (String bytes : hits.values("blockBytes")) {
      Measurements own = hits.where("blockBytes", bytes);
      for (String sample : own.values("sample")) {
        table.add(
            List.of(
                length(bytes),
                sample.equals("0") ? "none: both without shadows" : sample,
                withQuartiles(own.where("sample", sample), "shadowed_hit_ratio_to_plain")));
      }
    }
    return table.toString();
  }

  private String jdks() {
    List<String> versions = all.values("jdk");
    if (versions.size() < 2) {
      return "This run had one JDK only. `scripts/bench --jdk25` measures on two.";
    }
    List<String> header = new ArrayList<>(List.of("nvcache"));
    versions.forEach(version -> header.add("JDK " + version));
    versions.forEach(version -> header.add("JDK " + version + ", ns"));
    MarkdownTable table = new MarkdownTable(header);
    Measurements nvcache =
        all.where(
            Map.of("impl", NVCACHE, "hugePages", "default", "dist", "uniform", "threads", "1"));
    for (String operation : Goals.OPERATIONS) {
      for (String bytes : LENGTHS) {
        Measurements cell = nvcache.where(Map.of("op", operation, "blockBytes", bytes));
        List<String> row =
            new ArrayList<>(List.of(operation.replace('_', ' ') + ", " + length(bytes)));
        versions.forEach(jdk -> row.add(withQuartiles(cell.where("jdk", jdk), operation + RATIO)));
        for (String jdk : versions) {
          row.add(Figures.number(cell.value(operation + "_cpu_nanos", Map.of("jdk", jdk)), "%.0f"));
        }
        table.add(row);
      }
    }
    return table.toString();
  }

  private String noise() {
    return TableView.by("op")
        .headed("limit")
        .titled(operation -> operation.replace('_', ' '))
        .column(
            "median of the quartiles of limit ÷ limit",
            own -> median(own, "raw_self_ratio_q1") + "–" + median(own, "raw_self_ratio_q3"))
        .markdown(operations("hit_copy", "hit_touch", "insert", "replace", "index_lookup"));
  }

  private static String median(Measurements own, String metric) {
    double[] sorted =
        own.records().stream()
            .filter(entry -> entry.metric().equals(metric))
            .mapToDouble(Entry::value)
            .sorted()
            .toArray();
    return Figures.number(sorted.length == 0 ? Double.NaN : sorted[sorted.length / 2], "%.2f");
  }

  private String failures() {
    return failures.isEmpty()
        ? "Everything that was asked for was measured."
        : failures.stream()
            .map(failure -> "- " + failure.lines().findFirst().orElse(""))
            .collect(Collectors.joining("\n"));
  }
}
