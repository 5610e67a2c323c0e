// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import static io.nvcache.bench.report.RatioTable.number;
import static io.nvcache.bench.report.RatioTable.withQuartiles;

import io.nvcache.report.Figures;
import io.nvcache.report.HostMachine;
import io.nvcache.report.HtmlPage;
import io.nvcache.report.JsonRecords;
import io.nvcache.report.MarkdownTable;
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
 * tables in it come from one run.
 */
public final class PerformanceReport {
  private static final String TEMPLATE = "performance.md";
  private static final String NVCACHE = "nvcache";

  private final RecordSet all;

  /** Those on the first JDK, with nothing said about pages. */
  private final RecordSet records;

  private final OperationTables operations;
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
    String jdk = all.values("jdk").stream().findFirst().orElse("");
    this.records = all.where("jdk", jdk).where("hugePages", "default");
    this.operations = new OperationTables(this.records);
    this.arguments = List.copyOf(arguments);
    this.failures = List.copyOf(failures);
  }

  /** Writes the page, and its chart as {@code images/NAME.svg} next to it. */
  public void write(Path page) throws IOException {
    String name = page.getFileName().toString().replaceFirst("\\.[^.]*$", "") + ".svg";
    Path images = page.toAbsolutePath().resolveSibling("images");
    Path chart = Files.createDirectories(images).resolve(name);
    String image = "![What a copying hit costs in each cache](images/" + name + ")";
    Files.writeString(
        chart,
        ComparisonChart.of(
            operations.cell("hit_copy", "heap", "uniform", "1"), OperationTables.LENGTHS));
    Files.writeString(page, text(image));
  }

  String text(String chart) throws IOException {
    Map<String, String> slots = new LinkedHashMap<>();
    slots.put("command", command());
    slots.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    slots.put("machine", machine());
    slots.put("chart", chart);
    slots.put("goals", new Goals(all, records).toString());
    slots.put("streams", operations.streams());
    slots.put("hit_copy", operations.hitCopy());
    slots.put("hit_touch", operations.hitTouch());
    slots.put("miss", operations.miss("miss"));
    slots.put("miss_file", operations.miss("miss_file"));
    slots.put("insert", operations.insert());
    slots.put("insert_latency", operations.insertLatency());
    slots.put("replace", operations.replace());
    slots.put("index", index());
    slots.put("overflow", overflow());
    slots.put("memory", memory());
    slots.put("hot", operations.hot());
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

  private String index() {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "entries",
                "hit",
                "miss",
                "all of get but the copy",
                "ns",
                "a read of DRAM, ns",
                "bytes per entry"));
    for (String entries : records.where("op", "index_lookup").values("entries")) {
      RecordSet own = records.where("entries", entries);
      RecordSet lookup = own.where("op", "index_lookup");
      table.add(
          List.of(
              Figures.count(Long.parseLong(entries)),
              withQuartiles(lookup, "index_lookup_ratio_to_dram_read"),
              withQuartiles(own.where("op", "index_miss"), "index_miss_ratio_to_dram_read"),
              getOfAbout(entries),
              number(lookup.first("index_lookup_cpu_nanos"), "%.0f"),
              number(lookup.first("raw_cpu_nanos"), "%.0f"),
              number(lookup.first("index_bytes_per_entry"), "%.1f")));
    }
    return table.toString();
  }

  /** The cache holds a few blocks more or less than the bare index of the same size. */
  private String getOfAbout(String entries) {
    double wanted = Double.parseDouble(entries);
    RecordSet lookups = records.where("op", "lookup");
    return lookups.values("entries").stream()
        .filter(held -> Math.abs(Double.parseDouble(held) / wanted - 1) < 0.1)
        .map(held -> withQuartiles(lookups.where("entries", held), "lookup_ratio_to_dram_read"))
        .findFirst()
        .orElse(MarkdownTable.NOTHING);
  }

  private String overflow() {
    RecordSet refused = records.ofMetric("index_refused_ratio");
    MarkdownTable table = new MarkdownTable(List.of("index filled to", "found no slot"));
    for (String load : refused.values("load")) {
      double ratio = refused.where("load", load).first("index_refused_ratio").orElse(0);
      table.add(List.of(load, String.format(Locale.ROOT, "%.4f %%", 100 * ratio)));
    }
    return table.toString();
  }

  private String memory() {
    MarkdownTable table =
        new MarkdownTable(
            List.of(
                "cache",
                "blocks",
                "DRAM per block, B",
                "as counted",
                "heap objects per block",
                "pause, ms per GiB: full",
                "empty",
                "full collection, ms: full",
                "empty"));
    RecordSet weighed = records.without("op");
    for (String impl : weighed.ofMetric("dram_bytes_per_block").values("impl")) {
      RecordSet own = weighed.where("impl", impl);
      String held = own.ofMetric("dram_bytes_per_block").values("entries").get(0);
      RecordSet full = own.where("entries", held);
      RecordSet empty = own.where("entries", "0");
      table.add(
          List.of(
              impl,
              Figures.count(Long.parseLong(held)),
              number(full.first("dram_bytes_per_block"), "%.1f"),
              number(full.first("metadata_bytes_per_block"), "%.1f"),
              number(full.first("heap_objects_per_block"), "%.3f"),
              withQuartiles(full, "gc_pause_ms_per_gib", "%.1f"),
              withQuartiles(empty, "gc_pause_ms_per_gib", "%.1f"),
              withQuartiles(full, "full_gc_pause_ms", "%.0f"),
              withQuartiles(empty, "full_gc_pause_ms", "%.0f")));
    }
    String own = number(weighed.first("default_policy_metadata_bytes_per_block"), "%.1f");
    return own.equals(MarkdownTable.NOTHING)
        ? table.toString()
        : table
            + "\n\n"
            + "The caches compared admit every block. With its default policies, which remember"
            + " keys that\n"
            + "are not cached, nvcache counts "
            + own
            + " bytes for each block.";
  }

  private String hugePages() {
    RecordSet huge =
        all.where("impl", NVCACHE)
            .where("hugePages", "on")
            .where("jdk", all.values("jdk").stream().findFirst().orElse(""));
    RecordSet base = records.where("impl", NVCACHE);
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
    addHuge(table, base, huge, "hit_copy", "_ratio_to_raw", Map.of("buffer", "heap"));
    addHuge(table, base, huge, "hit_touch", "_ratio_to_raw", Map.of());
    addHuge(table, base, huge, "insert", "_ratio_to_raw", Map.of("buffer", "direct"));
    for (String entries : huge.where("op", "index_lookup").values("entries")) {
      addHuge(table, base, huge, "index_lookup", "_ratio_to_dram_read", Map.of("entries", entries));
    }
    return table
        + "\n\nOf the memory of these processes, "
        + number(huge.first("huge_page_share"), "%.2f")
        + " lay on huge pages with the settings, and "
        + number(base.first("huge_page_share"), "%.2f")
        + " without.";
  }

  private static void addHuge(
      MarkdownTable table,
      RecordSet base,
      RecordSet huge,
      String operation,
      String suffix,
      Map<String, String> labels) {
    RecordSet off = usual(base, operation).where(labels);
    RecordSet on = usual(huge, operation).where(labels);
    if (!labels.containsKey("entries")) {
      off = off.where("blockBytes", OperationTables.BROAD);
      on = on.where("blockBytes", OperationTables.BROAD);
    }
    String entries = labels.getOrDefault("entries", "");
    table.add(
        List.of(
            (operation.replace('_', ' ') + " " + entries).strip(),
            withQuartiles(off, operation + suffix),
            withQuartiles(on, operation + suffix),
            number(off.first(operation + "_cpu_nanos"), "%.0f"),
            number(on.first(operation + "_cpu_nanos"), "%.0f"),
            number(off.first("raw_cpu_nanos"), "%.0f"),
            number(on.first("raw_cpu_nanos"), "%.0f")));
  }

  private String shadows() {
    RecordSet hits = records.ofMetric("shadowed_hit_ratio_to_plain");
    MarkdownTable table = new MarkdownTable(List.of("block", "keys sampled", "with ÷ without"));
    for (String bytes : hits.values("blockBytes")) {
      RecordSet own = records.where("op", "shadowed_hit").where("blockBytes", bytes);
      for (String sample : own.values("sample")) {
        table.add(
            List.of(
                OperationTables.length(bytes),
                sample.equals("0") ? "none: both without shadows" : sample,
                withQuartiles(own.where("sample", sample), "shadowed_hit_ratio_to_plain")));
      }
    }
    return table.toString();
  }

  private static RecordSet usual(RecordSet records, String operation) {
    return records.where("op", operation).where("dist", "uniform").where("threads", "1");
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
    RecordSet nvcache = all.where("impl", NVCACHE).where("hugePages", "default");
    for (String operation : ComparedCell.OPERATIONS) {
      for (String bytes : OperationTables.LENGTHS) {
        RecordSet cell = usual(nvcache, operation).where("blockBytes", bytes);
        List<String> row =
            new ArrayList<>(
                List.of(operation.replace('_', ' ') + ", " + OperationTables.length(bytes)));
        versions.forEach(
            version ->
                row.add(withQuartiles(cell.where("jdk", version), operation + "_ratio_to_raw")));
        versions.forEach(
            version ->
                row.add(
                    number(cell.where("jdk", version).first(operation + "_cpu_nanos"), "%.0f")));
        table.add(row);
      }
    }
    return table.toString();
  }

  private String noise() {
    MarkdownTable table =
        new MarkdownTable(List.of("limit", "median of the quartiles of limit ÷ limit"));
    for (String operation : List.of("hit_copy", "hit_touch", "insert", "replace", "index_lookup")) {
      RecordSet own = records.where("op", operation);
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
