// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.report;

import io.nvcache.report.JsonRecords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** The cells in which another cache is quicker than NVCache. */
final class QuickerPeers {
  private static final String NVCACHE = "nvcache";

  private final List<String> lines = new ArrayList<>();
  private int compared;

  /** Compares records that differ neither in JDK nor in pages. */
  QuickerPeers(RecordSet records) {
    RecordSet nvcache = records.where("impl", NVCACHE);
    RecordSet peers = records.matching(entry -> !impl(entry).startsWith(NVCACHE));
    for (ComparedCell cell : ComparedCell.of(nvcache)) {
      compare(cell, cell.ratio(nvcache), cell.ratios(peers));
    }
  }

  private static String impl(JsonRecords.Entry entry) {
    return entry.labels().getOrDefault("impl", NVCACHE);
  }

  private void compare(ComparedCell cell, OptionalDouble own, List<JsonRecords.Entry> peers) {
    Optional<JsonRecords.Entry> best =
        peers.stream().min(Comparator.comparingDouble(JsonRecords.Entry::value));
    if (own.isEmpty() || best.isEmpty()) {
      return;
    }
    compared++;
    double quickest = best.get().value();
    if (quickest < own.getAsDouble()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "- %s: %.2f; %s %.2f",
              cell,
              own.getAsDouble(),
              impl(best.get()),
              quickest));
    }
  }

  @Override
  public String toString() {
    if (compared == 0) {
      return "";
    }
    return lines.isEmpty()
        ? "In each of " + compared + " cells NVCache was quicker than every other cache."
        : "To be quicker than the best of the others in each of "
            + compared
            + " cells is a goal too. In these some other cache was quicker:\n\n"
            + String.join("\n", lines);
  }
}
