// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Names a trace to be made: {@code zipf:blocks=100000:reads=1000000}.
 *
 * @param kind how requests are drawn
 * @param blocks how many blocks live at a time
 * @param reads how many reads there are
 * @param writes share of the requests that write a new block (kind LATEST)
 * @param phases how many hot sets come one after the other (kind PHASE)
 * @param scans share of the reads that belong to scans (kind SCAN_MIX)
 */
public record SyntheticSpec(
    Kind kind, long blocks, long reads, double writes, long phases, double scans) {
  /** How requests are drawn. */
  enum Kind {
    ZIPF,
    UNIFORM,
    LATEST,
    PHASE,
    SCAN_MIX,
    LOOP,
    COMPACTION;

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final long MOST = 1_000_000_000;

  /** Reads a name; empty if it does not begin like one. */
  public static Optional<SyntheticSpec> parse(String text) throws TraceFormatException {
    String[] parts = text.split(":", -1);
    Optional<Kind> kind =
        Arrays.stream(Kind.values()).filter(k -> k.label().equals(parts[0])).findFirst();
    if (kind.isEmpty() || parts.length == 1) {
      return Optional.empty();
    }
    SyntheticSpec spec = new SyntheticSpec(kind.get(), 100_000, 1_000_000, 0.05, 4, 0.5);
    for (String part : parts) {
      if (!part.isEmpty() && !part.equals(parts[0])) {
        spec = spec.with(text, part);
      }
    }
    if (spec.kind == Kind.COMPACTION && spec.blocks > CompactedFiles.MOST_BLOCKS) {
      throw bad(text, "blocks=" + spec.blocks, "at most " + CompactedFiles.MOST_BLOCKS);
    }
    return Optional.of(spec);
  }

  private SyntheticSpec with(String text, String part) throws TraceFormatException {
    String[] setting = part.split("=", 2);
    String value = setting.length == 2 ? setting[1] : "";
    return switch (setting[0]) {
      case "blocks" ->
          new SyntheticSpec(kind, count(text, part, value), reads, writes, phases, scans);
      case "reads" ->
          new SyntheticSpec(kind, blocks, count(text, part, value), writes, phases, scans);
      case "writes" ->
          new SyntheticSpec(kind, blocks, reads, share(text, part, value), phases, scans);
      case "phases" ->
          new SyntheticSpec(kind, blocks, reads, writes, count(text, part, value), scans);
      case "scans" ->
          new SyntheticSpec(kind, blocks, reads, writes, phases, share(text, part, value));
      default ->
          throw bad(text, part, "one of blocks, reads, writes, phases, scans, with = and a value");
    };
  }

  private static long count(String text, String part, String value) throws TraceFormatException {
    if (value.matches("\\d{1,10}") && Long.parseLong(value) >= 1 && Long.parseLong(value) <= MOST) {
      return Long.parseLong(value);
    }
    throw bad(text, part, "a whole number from 1 to " + MOST);
  }

  private static double share(String text, String part, String value) throws TraceFormatException {
    if (value.matches("0(\\.\\d{1,9})?") && Double.parseDouble(value) <= 0.99) {
      return Double.parseDouble(value);
    }
    throw bad(text, part, "a ratio from 0 to 0.99");
  }

  private static TraceFormatException bad(String text, String part, String expected) {
    return new TraceFormatException(
        "trace '" + text + "' has '" + part + "'; it must be " + expected);
  }
}
