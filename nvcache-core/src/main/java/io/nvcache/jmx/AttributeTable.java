// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.control.Condition;
import io.nvcache.control.DriveHealth;
import io.nvcache.control.LiveSetting;
import io.nvcache.control.ShadowReport;
import io.nvcache.control.Shadows;
import io.nvcache.stats.Stat;
import io.nvcache.stats.StatTable;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The attributes of a cache's bean: one for each named row of {@link StatTable} and for each {@link
 * LiveSetting}, and those that are texts or tables.
 */
final class AttributeTable {
  private static final Map<String, Attribute> BY_NAME =
      Stream.of(
              StatTable.ROWS.stream()
                  .filter(row -> !row.attribute().isEmpty())
                  .map(AttributeTable::of),
              Arrays.stream(LiveSetting.values()).map(AttributeTable::of),
              tables().stream(),
              state().stream(),
              shadows().stream())
          .flatMap(rows -> rows)
          .collect(
              Collectors.toMap(Attribute::name, row -> row, (one, other) -> one, TreeMap::new));

  private AttributeTable() {}

  /** Returns all, by name. */
  static Map<String, Attribute> byName() {
    return BY_NAME;
  }

  /** Returns the attribute that shows a setting. */
  static Optional<Attribute> ofSetting(String setting) {
    return BY_NAME.values().stream().filter(row -> row.setting().equals(setting)).findFirst();
  }

  private static Attribute of(Stat row) {
    return Attribute.of(
        row.attribute(),
        row.type() == long.class ? Attribute.Type.LONG : Attribute.Type.DOUBLE,
        row.description(),
        row.value());
  }

  private static Attribute of(LiveSetting setting) {
    return new Attribute(
        setting.attribute(),
        setting.isRatio() ? Attribute.Type.DOUBLE : Attribute.Type.LONG,
        setting.description(),
        setting.settingName(),
        reading -> shown(reading.control().settings().get(setting)),
        (cache, given) -> cache.control().settings().set(setting, asSetting(setting, given)));
  }

  /** Returns a value of a setting as its attribute has it: in percent or in seconds. */
  static Object shown(Object value) {
    if (value instanceof Double ratio) {
      return Stat.percent(ratio);
    }
    if (value instanceof List<?> texts) {
      return texts.toArray(String[]::new); // As open types have it.
    }
    return value instanceof Duration duration ? (Object) duration.toSeconds() : value;
  }

  private static Object asSetting(LiveSetting setting, Object given) {
    if (setting.isRatio()) {
      return (double) given / 100;
    }
    return setting.isDuration() ? Duration.ofSeconds((long) given) : given;
  }

  private static List<Attribute> tables() {
    return List.of(
        Attribute.of(
            "MissesByReason",
            Attribute.Type.COUNTS,
            "Lookups that did not find their block, by reason.",
            reading -> named(reading.ledger().misses())),
        Attribute.of(
            "OffersByResult",
            Attribute.Type.COUNTS,
            "Offered blocks by what became of them.",
            reading -> named(reading.stats().offers())),
        Attribute.of(
            "OffersBySource",
            Attribute.Type.COUNTS,
            "Offered blocks by what brought them.",
            reading -> named(reading.stats().offersBySource())),
        Attribute.of(
            "Ledger",
            Attribute.Type.COUNTS,
            "Every lookup, offer, removal and byte by what became of it, as account.reason.",
            reading -> reading.ledger().entries()),
        Attribute.of(
            "LedgerContradictions",
            Attribute.Type.TEXTS,
            "Sums of the ledger that do not agree, in words; while calls run, one may be caught"
                + " between two of its counts.",
            reading -> reading.ledger().contradictions()),
        Attribute.of(
            "Conditions",
            Attribute.Type.REASONS,
            "The current conditions and their reasons: "
                + Arrays.stream(Condition.values())
                    .map(Condition::name)
                    .collect(Collectors.joining(", "))
                + "; empty if all is well.",
            reading -> named(reading.control().conditions())));
  }

  private static <V> Map<String, V> named(Map<? extends Enum<?>, V> values) {
    Map<String, V> named = new TreeMap<>();
    values.forEach((key, value) -> named.put(key.name(), value));
    return named;
  }

  private static List<Attribute> state() {
    return List.of(
        Attribute.of(
            "Restore",
            Attribute.Type.TEXT,
            "What became of an earlier cache's blocks: off, cold with the reason, restoring or"
                + " restored, with what was lost and why.",
            reading -> reading.control().restore().toString()),
        Attribute.of(
            "Medium",
            Attribute.Type.TEXT,
            "What the blocks lie on, with its size.",
            reading -> reading.control().medium()),
        Attribute.of(
            "Drives",
            Attribute.Type.TEXTS,
            "The drives that the cache lies on, if there are several: serving, or lost and why.",
            reading -> reading.health().drives().stream().map(DriveHealth::toString).toList()),
        Attribute.of(
            "CopyOrder",
            Attribute.Type.TEXT,
            "How this JVM copies blocks: in one pass, or which in streams.",
            reading -> reading.stats().copyOrder()),
        Attribute.of(
            "State",
            Attribute.Type.TEXT,
            "SERVING, BYPASSING (for some seconds nothing offered was"
                + " admitted) or OUT_OF_SERVICE; Problem says why.",
            reading -> reading.health().state().name()),
        Attribute.of(
            "Problem",
            Attribute.Type.TEXT,
            "Why State is BYPASSING or OUT_OF_SERVICE, and which setting would change it; empty"
                + " while it is SERVING.",
            reading -> reading.health().reason()),
        Attribute.of(
            "InService",
            Attribute.Type.BOOLEAN,
            "Whether the cache uses its medium; OutOfServiceReason says why not.",
            reading -> reading.health().inService()),
        Attribute.of(
            "OutOfServiceReason",
            Attribute.Type.TEXT,
            "Why the cache is out of service; empty if it is not.",
            reading -> reading.health().inService() ? "" : reading.health().reason()));
  }

  private static List<Attribute> shadows() {
    return List.of(
        new Attribute(
            "ShadowSamplePercent",
            Attribute.Type.DOUBLE,
            "The part of the keys whose lookups feed the shadows, in percent: 0 (shadows off),"
                + " 0.001 to 50, or -1 to have it chosen. A change starts them again. Writable.",
            "shadowSampleRatio",
            reading -> Stat.percent(reading.control().shadows().sampleRatio()),
            (cache, given) -> sample(cache.control().shadows(), (double) given)),
        new Attribute(
            "ShadowCandidates",
            Attribute.Type.TEXTS,
            "Other settings for the shadows to try, at most 8, each POLICY[@PERCENT%][*FACTOR]"
                + " such as live@20%, paper*2. A change starts them again. Writable.",
            "shadowCandidates",
            reading -> reading.control().shadows().candidates(),
            (cache, given) -> cache.control().shadows().setCandidates(texts(given))),
        Attribute.of(
            "ShadowHitRatioPercent",
            Attribute.Type.RATIOS,
            "What each candidate would hit, in percent of lookups.",
            reading -> byName(reading.shadows(), candidate -> 100 * candidate.hitRatio())),
        Attribute.of(
            "ShadowWritesPerLookup",
            Attribute.Type.RATIOS,
            "What each candidate would write, in blocks per lookup.",
            reading -> byName(reading.shadows(), ShadowReport.Candidate::writesPerLookup)),
        Attribute.of(
            "ShadowVerdicts",
            Attribute.Type.TEXTS,
            "What each candidate would save and cost, in words.",
            reading ->
                reading.shadows().candidates().stream()
                    .map(ShadowReport.Candidate::verdict)
                    .toList()),
        Attribute.of(
            "SizeCurvePercent",
            Attribute.Type.RATIOS,
            "Hit ratio of the cache's own policies at 1/8 to 8 times its size, in percent.",
            reading ->
                curve(
                    reading.shadows().sizes(),
                    ShadowReport.Candidate::sizeFactor,
                    ShadowReport.Candidate::hitRatio)),
        Attribute.of(
            "LruCurvePercent",
            Attribute.Type.RATIOS,
            "Hit ratio of LRU that takes every block, at 1/8 to 8 times the size, in percent.",
            reading ->
                curve(
                    reading.shadows().lru(),
                    ShadowReport.Point::sizeFactor,
                    ShadowReport.Point::hitRatio)),
        Attribute.of(
            "Tuning",
            Attribute.Type.TEXT,
            "What the tuning of the overhead target knows and does; startTuning and stopTuning"
                + " start and end it.",
            reading -> reading.control().tuning().report().toString()));
  }

  /** An attribute has no second setter: -1 asks for a ratio of the cache's choice. */
  private static void sample(Shadows shadows, double percent) {
    if (percent == -1) {
      shadows.chooseSampleRatio();
    } else if (percent < 0) {
      throw new IllegalArgumentException(
          percent + " % of the keys can't be sampled; give 0 to 50, or -1 to have it chosen");
    } else {
      shadows.setSampleRatio(percent / 100);
    }
  }

  @SuppressWarnings("unchecked") // As its type is.
  private static List<String> texts(Object given) {
    return (List<String>) given;
  }

  private static Map<String, Double> byName(
      ShadowReport report, ToDoubleFunction<ShadowReport.Candidate> value) {
    Map<String, Double> byName = new LinkedHashMap<>();
    report
        .candidates()
        .forEach(
            candidate ->
                byName.put(candidate.name(), Stat.rounded(value.applyAsDouble(candidate))));
    return byName;
  }

  private static <P> Map<String, Double> curve(
      List<P> points, ToDoubleFunction<P> sizeFactor, ToDoubleFunction<P> hitRatio) {
    Map<String, Double> curve = new LinkedHashMap<>();
    points.forEach(
        point ->
            curve.put(
                factor(sizeFactor.applyAsDouble(point)),
                Stat.percent(hitRatio.applyAsDouble(point))));
    return curve;
  }

  /** Two is 2, 1/8 is 0.125, and the points between have three digits. */
  private static String factor(double sizeFactor) {
    double rounded = Math.rint(sizeFactor * 1000) / 1000;
    return rounded == Math.rint(rounded) ? Long.toString((long) rounded) : Double.toString(rounded);
  }
}
