// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import static io.nvcache.bench.report.PageTable.number;
import static io.nvcache.bench.report.PageTable.withQuartiles;

import io.nvcache.report.Figures;
import io.nvcache.report.HostMachine;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.MarkdownTable;
import io.nvcache.report.chart.DotChart;
import io.nvcache.report.chart.DotChart.Fill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The paired comparison as a page of Markdown: the template says what was measured and how, and the
 * tables in it are views of one run's records.
 */
public final class PerformanceReport {
  private static final String TEMPLATE = "performance.md";
  private static final String NVCACHE = "nvcache";
  private static final String RATIO = "_ratio_to_raw";

  /** The lengths of blocks that are shown, in bytes, and the one that has more cells. */
  private static final List<String> LENGTHS = List.of("4096", "16384", "65536");

  private static final String BROAD = "16384";

  private final RecordSet all;

  /** Those on the first JDK, with nothing said about pages. */
  private final RecordSet records;

  private final List<String> arguments;
  private final List<String> failures;

  /**
   * Makes a report.
   *
   * @param records of one run
   * @param arguments the run's
   * @param failures what could not be measured, and why
   */
  public PerformanceReport(
      List<JsonRecords.Entry> records, List<String> arguments, List<String> failures) {
    this.all = new RecordSet(List.copyOf(records));
    this.records = all.where("jdk", firstJdk()).where("hugePages", "default");
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
    RecordSet hits = operation("hit_copy").where(cell("heap", "uniform", "1"));
    for (String bytes : LENGTHS) {
      for (String cache : hits.values("impl")) {
        hits.where("impl", cache)
            .where("blockBytes", bytes)
            .first("hit_copy" + RATIO)
            .ifPresent(ratio -> chart.add("", cache, length(bytes), ratio, Fill.SOLID));
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
    slots.put("insert", written("insert", twoThreads(of("insert", "direct"), "insert", "direct")));
    slots.put("insert_latency", insertLatency());
    slots.put("replace", written("replace", of("replace", "direct")));
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

  private RecordSet operation(String operation) {
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

  /** Returns the caches with a column for each length of blocks. */
  private PageTable of(String operation, String buffer) {
    PageTable table = PageTable.ofCaches(operation(operation));
    LENGTHS.forEach(
        bytes -> table.ratios(length(bytes), operation, cell(bytes, buffer, "uniform", "1")));
    return table;
  }

  private static PageTable twoThreads(PageTable table, String operation, String buffer) {
    return table.ratios("16 KiB, 2 threads", operation, cell(BROAD, buffer, "uniform", "2"));
  }

  private static PageTable garbage(PageTable table, Map<String, String> usual) {
    return table.figure("B/op", "alloc_bytes_per_op", "%.0f", usual);
  }

  private String hitCopy() {
    PageTable table =
        of("hit_copy", "heap")
            .ratios("16 KiB, direct buffer", "hit_copy", cell(BROAD, "direct", "uniform", "1"))
            .ratios("16 KiB, zipfian", "hit_copy", cell(BROAD, "heap", "zipfian", "1"));
    return garbage(twoThreads(table, "hit_copy", "heap"), cell(BROAD, "heap", "uniform", "1"))
        .toString();
  }

  private String hitTouch() {
    Map<String, String> usual = cell(BROAD, "heap", "uniform", "1");
    PageTable table =
        twoThreads(of("hit_touch", "heap"), "hit_touch", "heap")
            .figure("ns", "hit_touch_cpu_nanos", "%.0f", usual)
            .figure("bare touch, ns", "raw_cpu_nanos", "%.0f", usual);
    return garbage(table, usual).toString();
  }

  /** Of blocks of a known file, and of a file without any block. */
  private String miss(String operation) {
    Map<String, String> usual = cell(BROAD, "heap", "uniform", "1");
    PageTable table =
        PageTable.ofCaches(operation(operation))
            .ratios("÷ bare touch", operation, usual)
            .figure("ns", operation + "_cpu_nanos", "%.0f", usual);
    return garbage(table, usual).toString();
  }

  private static String written(String operation, PageTable table) {
    Map<String, String> usual = cell(BROAD, "direct", "uniform", "1");
    table
        .figure("wall", operation + "_wall_ratio_to_raw", "%.2f", usual)
        .figure("other threads, ns", "background_cpu_nanos", "%.0f", usual);
    return garbage(table, usual)
        .figure("still there", operation + "_retained_ratio", "%.3f", usual)
        .toString();
  }

  /** What the order in which NVCache copies is worth, without a cache. */
  private String streams() {
    PageTable table =
        new PageTable(
            records.matching(entry -> isOneOf(entry, List.of("hit_copy", "insert"))),
            "op",
            "in streams ÷ in one pass",
            operation -> operation.equals("insert") ? "write" : "copy");
    for (String bytes : List.of("16384", "65536")) {
      table.column(
          length(bytes),
          own -> withQuartiles(own.where("blockBytes", bytes), "raw_streams_ratio_to_raw"));
    }
    return table.toString();
  }

  private static boolean isOneOf(JsonRecords.Entry entry, List<String> operations) {
    return operations.contains(entry.labels().getOrDefault("op", ""));
  }

  private String insertLatency() {
    PageTable table = PageTable.ofCaches(records.ofMetrics("insert_latency", "raw_write_latency"));
    for (String p : List.of("50", "99", "99.9", "99.99", "100")) {
      String name = p.equals("100") ? "longest" : "p" + p;
      table.figure(name, "insert_latency", "%.1f", Map.of("percentile", p));
    }
    table.figure("bare write, p99.99", "raw_write_latency", "%.1f", Map.of("percentile", "99.99"));
    RecordSet nvcache = records.where("impl", NVCACHE);
    return table
        + "\n\nWithout the copy, an insert of NVCache takes "
        + withQuartiles(nvcache, "insert_without_copy_ratio_to_raw")
        + " of the bare write: "
        + number(nvcache.first("insert_without_copy_cpu_nanos"), "%.0f")
        + " ns for admission, space, index and eviction.";
  }

  private String hot() {
    Map<String, String> hot = cell(BROAD, "heap", "hot", "2");
    return PageTable.ofCaches(operation("hit_copy").where(hot))
        .quartiles("÷ bare copy, 2 threads", "hit_copy" + RATIO)
        .quartiles("together ÷ alone", "together_ratio_to_alone")
        .quartiles("bare copy, together ÷ alone", "raw_together_ratio_to_alone")
        .toString();
  }

  private String index() {
    return PageTable.ofEntries(
            records.matching(entry -> isOneOf(entry, List.of("index_lookup", "index_miss"))))
        .quartiles("hit", "index_lookup_ratio_to_dram_read")
        .quartiles("miss", "index_miss_ratio_to_dram_read")
        .column("all of get but the copy", own -> getOfAbout(own.values("entries").get(0)))
        .figure("ns", "index_lookup_cpu_nanos", "%.0f")
        .figure("a read of DRAM, ns", "raw_cpu_nanos", "%.0f", Map.of("op", "index_lookup"))
        .figure("bytes per entry", "index_bytes_per_entry", "%.1f")
        .toString();
  }

  /** The cache holds a few blocks more or less than the bare index of the same size. */
  private String getOfAbout(String entries) {
    double wanted = Double.parseDouble(entries);
    RecordSet lookups = operation("lookup");
    return lookups.values("entries").stream()
        .filter(held -> Math.abs(Double.parseDouble(held) / wanted - 1) < 0.1)
        .map(held -> withQuartiles(lookups.where("entries", held), "lookup_ratio_to_dram_read"))
        .findFirst()
        .orElse(MarkdownTable.NOTHING);
  }

  private String overflow() {
    return new PageTable(
            records.ofMetrics("index_refused_ratio"), "load", "index filled to", load -> load)
        .column(
            "found no slot",
            own -> {
              double ratio = own.first("index_refused_ratio").orElse(0);
              return String.format(Locale.ROOT, "%.4f %%", 100 * ratio);
            })
        .toString();
  }

  private String memory() {
    RecordSet weighed = records.without("op");
    Function<RecordSet, RecordSet> full = own -> own.whereNot("entries", "0");
    Function<RecordSet, RecordSet> empty = own -> own.where("entries", "0");
    String pause = "gc_pause_ms_per_gib";
    String collection = "full_gc_pause_ms";
    String bytes = "dram_bytes_per_block";
    PageTable table =
        PageTable.ofCaches(weighed)
            .column(
                "blocks",
                own ->
                    own.ofMetrics(bytes).values("entries").stream()
                        .map(held -> Figures.count(Long.parseLong(held)))
                        .findFirst()
                        .orElse(MarkdownTable.NOTHING))
            .figure("DRAM per block, B", bytes, "%.1f")
            .column(
                "as counted",
                own -> number(full.apply(own).first("metadata_bytes_per_block"), "%.1f"))
            .column(
                "heap objects per block",
                own -> number(full.apply(own).first("heap_objects_per_block"), "%.3f"))
            .column("pause, ms per GiB: full", own -> withQuartiles(full.apply(own), pause, "%.1f"))
            .column("empty", own -> withQuartiles(empty.apply(own), pause, "%.1f"))
            .column(
                "full collection, ms: full",
                own -> withQuartiles(full.apply(own), collection, "%.0f"))
            .column("empty", own -> withQuartiles(empty.apply(own), collection, "%.0f"));
    String own = number(weighed.first("default_policy_metadata_bytes_per_block"), "%.1f");
    return own.equals(MarkdownTable.NOTHING)
        ? table.toString()
        : table
            + "\n\nThe caches compared admit every block. With its default policies, which remember keys"
            + " that\nare not cached, nvcache counts "
            + own
            + " bytes for each block.";
  }

  private String hugePages() {
    RecordSet ofCache = all.where("impl", NVCACHE).where("jdk", firstJdk());
    RecordSet huge = ofCache.where("hugePages", "on");
    RecordSet base = ofCache.where("hugePages", "default");
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
      addHuge(
          table,
          operation.replace('_', ' '),
          operation + RATIO,
          usual(base, operation, cell),
          usual(huge, operation, cell));
    }
    String lookup = "index_lookup";
    for (String entries : huge.where("op", lookup).values("entries")) {
      Map<String, String> size = Map.of("entries", entries);
      addHuge(
          table,
          "index lookup " + entries,
          lookup + "_ratio_to_dram_read",
          usual(base, lookup, size),
          usual(huge, lookup, size));
    }
    return table
        + "\n\nOf the memory of these processes, "
        + number(huge.first("huge_page_share"), "%.2f")
        + " lay on huge pages with the settings, and "
        + number(base.first("huge_page_share"), "%.2f")
        + " without.";
  }

  private static RecordSet usual(RecordSet records, String operation, Map<String, String> having) {
    return records.where("op", operation).where(having);
  }

  private static void addHuge(
      MarkdownTable table, String name, String ratio, RecordSet off, RecordSet on) {
    String nanos = ratio.substring(0, ratio.indexOf("_ratio")) + "_cpu_nanos";
    table.add(
        List.of(
            name,
            withQuartiles(off, ratio),
            withQuartiles(on, ratio),
            number(off.first(nanos), "%.0f"),
            number(on.first(nanos), "%.0f"),
            number(off.first("raw_cpu_nanos"), "%.0f"),
            number(on.first("raw_cpu_nanos"), "%.0f")));
  }

  private String shadows() {
    MarkdownTable table = new MarkdownTable(List.of("block", "keys sampled", "with ÷ without"));
    RecordSet hits = operation("shadowed_hit");
    for (String bytes : hits.values("blockBytes")) {
      RecordSet own = hits.where("blockBytes", bytes);
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
    MarkdownTable table =
        new MarkdownTable(
            Stream.of(
                    Stream.of("nvcache"),
                    versions.stream().map(version -> "JDK " + version),
                    versions.stream().map(version -> "JDK " + version + ", ns"))
                .flatMap(names -> names)
                .toList());
    RecordSet nvcache = all.where("impl", NVCACHE).where("hugePages", "default");
    for (String operation : Goals.OPERATIONS) {
      for (String bytes : LENGTHS) {
        RecordSet cell =
            nvcache
                .where("op", operation)
                .where(Map.of("dist", "uniform", "threads", "1", "blockBytes", bytes));
        table.add(
            Stream.of(
                    Stream.of(operation.replace('_', ' ') + ", " + length(bytes)),
                    versions.stream()
                        .map(jdk -> withQuartiles(cell.where("jdk", jdk), operation + RATIO)),
                    versions.stream()
                        .map(jdk -> cell.where("jdk", jdk).first(operation + "_cpu_nanos"))
                        .map(nanos -> number(nanos, "%.0f")))
                .flatMap(cells -> cells)
                .toList());
      }
    }
    return table.toString();
  }

  private String noise() {
    MarkdownTable table =
        new MarkdownTable(List.of("limit", "median of the quartiles of limit ÷ limit"));
    for (String operation : List.of("hit_copy", "hit_touch", "insert", "replace", "index_lookup")) {
      RecordSet own = operation(operation);
      if (!own.isEmpty()) {
        table.add(
            List.of(
                operation.replace('_', ' '),
                number(own.median("raw_self_ratio_q1"), "%.2f")
                    + "–"
                    + number(own.median("raw_self_ratio_q3"), "%.2f")));
      }
    }
    return table.toString();
  }

  private String failures() {
    return failures.isEmpty()
        ? "Everything that was asked for was measured."
        : failures.stream()
            .map(failure -> "- " + failure.lines().findFirst().orElse(""))
            .collect(Collectors.joining("\n"));
  }
}
