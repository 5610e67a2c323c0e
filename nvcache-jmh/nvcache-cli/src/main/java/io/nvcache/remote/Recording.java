// SPDX-License-Identifier: Apache-2.0
package io.nvcache.remote;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * What a cache did over some seconds, sampled over JMX; and at the end what its shadows say. Filled
 * by one thread.
 */
public final class Recording {
  private static final double NANOS = 1e-9;

  /**
   * What happened between two samples.
   *
   * @param second when it ended, counted from the start
   * @param lookupsPerSecond of the cache
   * @param hitRatio hits per lookup; NaN without lookups
   * @param writesPerLookup blocks admitted per lookup; NaN without lookups
   * @param writtenBytesPerSecond to the medium
   * @param overheadTarget the live setting at its end, as a ratio
   * @param refusedPerSecond offers that were not taken
   * @param evictedPerSecond blocks that a policy evicted or the index displaced
   * @param rebalancedPerSecond blocks evicted for others of another size
   */
  public record Sample(
      double second,
      double lookupsPerSecond,
      double hitRatio,
      double writesPerLookup,
      double writtenBytesPerSecond,
      double overheadTarget,
      double refusedPerSecond,
      double evictedPerSecond,
      double rebalancedPerSecond) {}

  /** An action or an event, and when. */
  public record Event(double second, String text) {}

  private static final Set<String> NOT_REFUSED = Set.of("ADMITTED", "ALREADY_CACHED");

  /** Read by one request: what is read one after the other is not of one moment. */
  private static final List<String> COUNTED =
      List.of(
          "Lookups",
          "Hits",
          "OffersAdmitted",
          "MediumWrittenBytes",
          "OffersByResult",
          "Evictions",
          "Displacements",
          "Rebalancings",
          "OverheadTargetPercent");

  private record Counts(
      long nanos,
      long lookups,
      long hits,
      long admitted,
      long writtenBytes,
      long refused,
      long evicted,
      long rebalanced,
      double overheadTarget) {}

  private final RemoteCache cache;
  private final LongSupplier nanoTime;
  private final long startNanos;
  private final List<Sample> samples = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();
  private Counts before;

  /** Starts to record. */
  public Recording(RemoteCache cache, LongSupplier nanoTime) throws IOException {
    this.cache = cache;
    this.nanoTime = nanoTime;
    this.startNanos = nanoTime.getAsLong();
    this.before = count();
  }

  private Counts count() throws IOException {
    long nanos = nanoTime.getAsLong();
    Map<String, Object> values = cache.get(COUNTED);
    return new Counts(
        nanos,
        count(values, "Lookups"),
        count(values, "Hits"),
        count(values, "OffersAdmitted"),
        count(values, "MediumWrittenBytes"),
        refused(values),
        count(values, "Evictions") + count(values, "Displacements"),
        count(values, "Rebalancings"),
        (Double) Objects.requireNonNull(values.get("OverheadTargetPercent")) / 100);
  }

  private static long count(Map<String, Object> values, String attribute) {
    return (Long) Objects.requireNonNull(values.get(attribute));
  }

  private static long refused(Map<String, Object> values) {
    return ((Map<?, ?>) Objects.requireNonNull(values.get("OffersByResult")))
        .entrySet().stream()
            .filter(offers -> !NOT_REFUSED.contains(offers.getKey().toString()))
            .mapToLong(offers -> (Long) offers.getValue())
            .sum();
  }

  /** Seconds since the start. */
  public double now() {
    return (nanoTime.getAsLong() - startNanos) * NANOS;
  }

  /** Takes a sample of what happened since the last one. */
  public void sample() throws IOException {
    Counts after = count();
    double seconds = Math.max(1, after.nanos - before.nanos) * NANOS;
    double lookups = after.lookups - before.lookups;
    samples.add(
        new Sample(
            (after.nanos - startNanos) * NANOS,
            lookups / seconds,
            (after.hits - before.hits) / lookups,
            (after.admitted - before.admitted) / lookups,
            (after.writtenBytes - before.writtenBytes) / seconds,
            after.overheadTarget,
            (after.refused - before.refused) / seconds,
            (after.evicted - before.evicted) / seconds,
            (after.rebalanced - before.rebalanced) / seconds));
    before = after;
  }

  /** Changes a setting, and remembers when. */
  public void set(String attribute, Object value, String text) throws IOException {
    cache.set(attribute, value);
    events.add(new Event(now(), text));
  }

  /** In the order of time. */
  public List<Sample> samples() {
    return List.copyOf(samples);
  }

  /** In the order of time. */
  public List<Event> events() {
    return List.copyOf(events);
  }

  /** A curve of the shadows: hit ratio in percent by size, ascending; empty if they are off. */
  public Map<Double, Double> curve(String attribute) throws IOException {
    Map<Double, Double> curve = new TreeMap<>();
    if (cache.get(attribute) instanceof Map<?, ?> table) {
      table.forEach((size, hits) -> curve.put(Double.parseDouble(size.toString()), (Double) hits));
    }
    return curve;
  }

  /** What the shadows say of their candidates, in words. */
  public List<String> verdicts() throws IOException {
    return cache.get("ShadowVerdicts") instanceof String[] verdicts ? List.of(verdicts) : List.of();
  }

  /** The name that the cache was registered with. */
  public String cacheName() {
    return cache.cacheName();
  }

  /**
   * Returns what a reader wants to know in addition to the curves, by attribute: numbers and texts.
   */
  public Map<String, Object> facts() throws IOException {
    Map<String, Object> facts = new LinkedHashMap<>();
    facts.put("MBean", cache.objectName().toString());
    for (String name :
        List.of(
            "State",
            "Problem",
            "CapacityBytes",
            "Blocks",
            "UsedPercent",
            "HitRatioPercent",
            "OverheadTargetPercent",
            "Evictions",
            "Displacements",
            "Rebalancings",
            "ShadowSamplePercent",
            "ShadowSampledLookups",
            "ShadowDroppedEvents")) {
      facts.put(name, cache.get(name));
    }
    facts.values().removeIf(""::equals);
    return facts;
  }

  /** Returns what became of the offers of the cache's life: counts by result, without zeros. */
  public Map<String, Long> offers() throws IOException {
    Map<String, Long> offers = new TreeMap<>();
    ((Map<?, ?>) cache.get("OffersByResult"))
        .forEach((result, count) -> offers.put(result.toString(), (Long) count));
    offers.values().removeIf(count -> count == 0);
    return offers;
  }
}
