// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.LiveSettings;
import io.nvcache.OfferResult;
import io.nvcache.stats.RecentStats;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The management bean of one cache: its numbers, and its settings with an audit log. */
final class NvCacheBean extends HealthBean {
  private static final Logger LOG = LoggerFactory.getLogger(NvCacheMXBean.class);
  private static final Duration SNAPSHOT_AGE = Duration.ofMillis(100);

  private final RecentStats recent = new RecentStats(System::nanoTime, SNAPSHOT_AGE);

  NvCacheBean(BlockCache cache, MBeanServer server, ObjectName objectName) {
    super(cache, server, objectName);
  }

  private CacheStats stats() {
    return recent.of(cache());
  }

  private LiveSettings settings() {
    return cache().settings();
  }

  @Override
  protected String getDescription(@Nullable MBeanInfo info) {
    return "Second-level block cache: counters since it was built, levels, live settings";
  }

  @Override
  protected String getDescription(MBeanAttributeInfo info) {
    return AttributeDescriptions.of(info.getName());
  }

  /** Ratios become percent, without the noise of binary fractions: 7 %, not 7.000000000000001. */
  private static double percent(double ratio) {
    return Math.rint(ratio * 1e8) / 1e6;
  }

  private static Map<String, Long> named(Map<? extends Enum<?>, Long> counts) {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((key, count) -> named.put(key.name(), count));
    return named;
  }

  /** One change at a time, so that the log tells the true order. */
  private synchronized void change(
      String attribute,
      Object requested,
      Function<NvCacheBean, Object> current,
      Consumer<LiveSettings> write) {
    Object old = current.apply(this);
    try {
      write.accept(settings());
    } catch (IllegalArgumentException e) {
      String range = AttributeDescriptions.of(attribute);
      throw new IllegalArgumentException(
          attribute + " stays " + old + ", " + requested + " is out of range. " + range, e);
    }
    LOG.info("{}: {} changed from {} to {}", objectName(), attribute, old, current.apply(this));
  }

  @Override
  public double getOverheadTargetPercent() {
    return percent(settings().overheadTarget());
  }

  @Override
  public void setOverheadTargetPercent(double percent) {
    change(
        "OverheadTargetPercent",
        percent,
        NvCacheBean::getOverheadTargetPercent,
        settings -> settings.overheadTarget(percent / 100));
  }

  @Override
  public long getSmallBypassDramBytes() {
    return settings().smallBypassDramBytes();
  }

  @Override
  public void setSmallBypassDramBytes(long bytes) {
    change(
        "SmallBypassDramBytes",
        bytes,
        NvCacheBean::getSmallBypassDramBytes,
        settings -> settings.smallBypassDramBytes(bytes));
  }

  @Override
  public double getSmallBypassFractionPercent() {
    return percent(settings().smallBypassFraction());
  }

  @Override
  public void setSmallBypassFractionPercent(double percent) {
    change(
        "SmallBypassFractionPercent",
        percent,
        NvCacheBean::getSmallBypassFractionPercent,
        settings -> settings.smallBypassFraction(percent / 100));
  }

  @Override
  public long getEvictionWindowSeconds() {
    return settings().evictionWindow().toSeconds();
  }

  @Override
  public void setEvictionWindowSeconds(long seconds) {
    change(
        "EvictionWindowSeconds",
        seconds,
        NvCacheBean::getEvictionWindowSeconds,
        settings -> settings.evictionWindow(Duration.ofSeconds(seconds)));
  }

  @Override
  public double getFullTargetPercent() {
    return percent(settings().fullTarget());
  }

  @Override
  public void setFullTargetPercent(double percent) {
    change(
        "FullTargetPercent",
        percent,
        NvCacheBean::getFullTargetPercent,
        settings -> settings.fullTarget(percent / 100));
  }

  @Override
  public long getLookups() {
    return stats().lookups();
  }

  @Override
  public long getHits() {
    return stats().hits();
  }

  @Override
  public long getMisses() {
    return stats().misses();
  }

  @Override
  public double getHitRatioPercent() {
    return percent(stats().hitRatio());
  }

  @Override
  public long getHitBytes() {
    return stats().hitBytes();
  }

  @Override
  public long getRefusedPins() {
    return stats().refusedPins();
  }

  @Override
  public long getContendedLookups() {
    return stats().contendedLookups();
  }

  @Override
  public Map<String, Long> getOffersByResult() {
    return named(stats().offers());
  }

  @Override
  public Map<String, Long> getOffersBySource() {
    return named(stats().offersBySource());
  }

  @Override
  public long getOffersAdmitted() {
    return stats().offers(OfferResult.ADMITTED);
  }

  @Override
  public long getOffersAlreadyCached() {
    return stats().offers(OfferResult.ALREADY_CACHED);
  }

  @Override
  public long getOffersBypassedSmall() {
    return stats().offers(OfferResult.BYPASSED_SMALL);
  }

  @Override
  public long getOffersBypassedOverhead() {
    return stats().offers(OfferResult.BYPASSED_OVERHEAD);
  }

  @Override
  public long getOffersNotWorthIt() {
    return stats().offers(OfferResult.NOT_WORTH_IT);
  }

  @Override
  public long getOffersTooLarge() {
    return stats().offers(OfferResult.TOO_LARGE);
  }

  @Override
  public long getOffersNoSpace() {
    return stats().offers(OfferResult.NO_SPACE);
  }

  @Override
  public long getOffersMediumBusy() {
    return stats().offers(OfferResult.MEDIUM_BUSY);
  }

  @Override
  public long getOffersMediumFailed() {
    return stats().offers(OfferResult.MEDIUM_FAILED);
  }

  @Override
  public long getOffersOutOfService() {
    return stats().offers(OfferResult.OUT_OF_SERVICE);
  }

  @Override
  public long getOffersClosed() {
    return stats().offers(OfferResult.CLOSED);
  }

  @Override
  public long getAdmittedBytes() {
    return stats().admittedBytes();
  }

  @Override
  public double getWritesPerLookup() {
    return stats().writesPerLookup();
  }

  @Override
  public double getOverheadPercent() {
    return percent(stats().overhead());
  }

  @Override
  public long getEvictions() {
    return stats().evictions();
  }

  @Override
  public long getDisplacements() {
    return stats().displacements();
  }

  @Override
  public long getRebalancings() {
    return stats().rebalancings();
  }

  @Override
  public long getEvictedBytes() {
    return stats().evictedBytes();
  }

  @Override
  public long getDeferredEvictions() {
    return stats().deferredEvictions();
  }

  @Override
  public long getInvalidations() {
    return stats().invalidations();
  }

  @Override
  public long getInvalidatedBytes() {
    return stats().invalidatedBytes();
  }

  @Override
  public long getMediumReadBytes() {
    return stats().mediumReadBytes();
  }

  @Override
  public long getMediumWrittenBytes() {
    return stats().mediumWrittenBytes();
  }

  @Override
  public long getMediumFailures() {
    return stats().mediumFailures();
  }

  @Override
  public long getBlocks() {
    return stats().blocks();
  }

  @Override
  public long getBlockBytes() {
    return stats().blockBytes();
  }

  @Override
  public long getUsedBytes() {
    return stats().usedBytes();
  }

  @Override
  public double getUsedPercent() {
    CacheStats stats = stats();
    return stats.capacityBytes() == 0
        ? 0
        : percent((double) stats.usedBytes() / stats.capacityBytes());
  }

  @Override
  public long getCapacityBytes() {
    return stats().capacityBytes();
  }

  @Override
  public long getPinnedBytes() {
    return stats().pinnedBytes();
  }

  @Override
  public long getMetadataBytes() {
    return stats().metadataBytes();
  }

  @Override
  public long getDataSetBytes() {
    return stats().dataSetBytes();
  }
}
