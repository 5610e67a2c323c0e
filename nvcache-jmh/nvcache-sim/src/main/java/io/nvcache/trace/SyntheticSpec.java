// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * Names a trace to be made: {@code zipf:blocks=100000:reads=1000000}.
 *
 * @param kind how requests are drawn
 * @param blocks how many blocks live, or are popular, at a time
 * @param reads how many reads there are
 * @param writes share of the requests that write a new block (kind LATEST)
 * @param phases how many hot sets come one after the other (kinds PHASE and SHIFT)
 * @param scans share of the reads that belong to scans (kinds SCAN_MIX and ZIPFSCAN)
 * @param lookups how many there are for each new block (kinds DRIFT, RECENT and BURST)
 * @param spread how many times as many blocks are read evenly after the hot set (kind HOTFLAT)
 * @param longest the longest block in bytes; the shortest has 4096
 */
public record SyntheticSpec(
    Kind kind,
    long blocks,
    long reads,
    double writes,
    long phases,
    double scans,
    long lookups,
    long spread,
    long longest) {
  /** How requests are drawn. */
  enum Kind {
    ZIPF,
    UNIFORM,
    LATEST,
    PHASE,
    SCAN_MIX,
    LOOP,
    COMPACTION,
    DRIFT,
    SHIFT,
    HOTFLAT,
    RECENT,
    BURST,
    ZIPFSCAN;

    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  private static final long MOST = 1_000_000_000;
  private static final long MOST_BYTES = 16 << 20;

  /** Reads a name; empty if it does not begin like one. */
  public static Optional<SyntheticSpec> parse(String text) throws TraceFormatException {
    String[] parts = text.split(":", -1);
    Optional<Kind> kind =
        Arrays.stream(Kind.values()).filter(k -> k.label().equals(parts[0])).findFirst();
    if (kind.isEmpty() || parts.length == 1) {
      return Optional.empty();
    }
    Draft draft = new Draft(kind.get());
    for (String part : parts) {
      if (!part.isEmpty() && !part.equals(parts[0])) {
        draft.set(text, part);
      }
    }
    SyntheticSpec spec = draft.spec();
    if (spec.kind == Kind.COMPACTION && spec.blocks > CompactedFiles.MOST_BLOCKS) {
      throw bad(text, "blocks=" + spec.blocks, "at most " + CompactedFiles.MOST_BLOCKS);
    }
    return Optional.of(spec);
  }

  /** A specification that is being read. */
  private static final class Draft {
    final Kind kind;
    long blocks = 100_000;
    long reads = 1_000_000;
    double writes = 0.05;
    long phases = 4;
    double scans = 0.5;
    long lookups = 12;
    long spread = 16;
    long longest = SyntheticTrace.BLOCK_BYTES;

    Draft(Kind kind) {
      this.kind = kind;
    }

    void set(String text, String part) throws TraceFormatException {
      String[] setting = part.split("=", 2);
      String value = setting.length == 2 ? setting[1] : "";
      switch (setting[0]) {
        case "blocks" -> blocks = count(text, part, value);
        case "reads" -> reads = count(text, part, value);
        case "writes" -> writes = share(text, part, value);
        case "phases" -> phases = count(text, part, value);
        case "scans" -> scans = share(text, part, value);
        case "lookups" -> lookups = count(text, part, value);
        case "spread" -> spread = count(text, part, value);
        case "longest" -> longest = length(text, part, value);
        default ->
            throw bad(
                text,
                part,
                "one of blocks, reads, writes, phases, scans, lookups, spread, longest, with = and"
                    + " a value");
      }
    }

    SyntheticSpec spec() {
      return new SyntheticSpec(
          kind, blocks, reads, writes, phases, scans, lookups, spread, longest);
    }
  }

  private static long length(String text, String part, String value) throws TraceFormatException {
    if (value.matches("\\d{4,8}")
        && Long.parseLong(value) >= SyntheticTrace.BLOCK_BYTES
        && Long.parseLong(value) <= MOST_BYTES) {
      return Long.parseLong(value);
    }
    throw bad(
        text,
        part,
        "a whole number of bytes from " + SyntheticTrace.BLOCK_BYTES + " to " + MOST_BYTES);
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
