// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import io.nvcache.BlockCache;
import io.nvcache.CacheStats;
import io.nvcache.OfferResult;
import io.nvcache.stats.RecentStats;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/** The management bean of one cache: its numbers. */
final class NvCacheBean extends ShadowBean {
  private static final Duration SNAPSHOT_AGE = Duration.ofMillis(100);

  private final RecentStats recent = new RecentStats(System::nanoTime, SNAPSHOT_AGE);

  NvCacheBean(BlockCache cache, MBeanServer server, ObjectName objectName) {
    super(cache, server, objectName);
  }

  private CacheStats stats() {
    return recent.of(cache());
  }

  @Override
  protected String getDescription(@Nullable MBeanInfo info) {
    return "Second-level block cache: counters since it was built, levels, live settings";
  }

  @Override
  protected String getDescription(MBeanAttributeInfo info) {
    return AttributeDescriptions.of(info.getName());
  }

  @Override
  protected String getDescription(MBeanOperationInfo info) {
    return OperationDescriptions.of(info.getName());
  }

  @Override
  protected String getDescription(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return OperationDescriptions.parameter(operation.getName(), sequence).description();
  }

  @Override
  protected String getParameterName(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return OperationDescriptions.parameter(operation.getName(), sequence).name();
  }

  /** Returns {@code ACTION}: all operations change something and return nothing. */
  @Override
  protected int getImpact(MBeanOperationInfo info) {
    return MBeanOperationInfo.ACTION;
  }

  private static Map<String, Long> named(Map<? extends Enum<?>, Long> counts) {
    Map<String, Long> named = new TreeMap<>();
    counts.forEach((key, count) -> named.put(key.name(), count));
    return named;
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
    return LiveAttribute.percent(stats().hitRatio());
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
  public Map<String, Long> getMissesByReason() {
    return named(recent.ledgerOf(cache()).misses());
  }

  @Override
  public Map<String, Long> getLedger() {
    return recent.ledgerOf(cache()).entries();
  }

  @Override
  public List<String> getLedgerContradictions() {
    return recent.ledgerOf(cache()).contradictions();
  }

  @Override
  public Map<String, String> getConditions() {
    Map<String, String> conditions = new TreeMap<>();
    cache()
        .control()
        .conditions()
        .forEach((condition, reason) -> conditions.put(condition.name(), reason));
    return conditions;
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
  public long getOffersBypassedWriteLimit() {
    return stats().offers(OfferResult.BYPASSED_WRITE_LIMIT);
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
    return LiveAttribute.percent(stats().overhead().orElse(Double.NaN));
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
  public long getDeviceWrittenBytes() {
    return stats().deviceWrittenBytes();
  }

  @Override
  public long getReinsertions() {
    return stats().reinsertions();
  }

  @Override
  public long getRestoredBlocks() {
    return stats().restoredBlocks();
  }

  @Override
  public String getRestore() {
    return cache().control().restore().toString();
  }

  @Override
  public String getMedium() {
    return cache().control().medium();
  }

  @Override
  public long getReinsertedBytes() {
    return stats().reinsertedBytes();
  }

  @Override
  public long getDiscardedRegions() {
    return stats().discardedRegions();
  }

  @Override
  public long getDiscardedBytes() {
    return stats().discardedBytes();
  }

  @Override
  public long getDiscardFailures() {
    return stats().discardFailures();
  }

  @Override
  public double getDeviceBytesPerAdmittedByte() {
    return LiveAttribute.rounded(stats().deviceBytesPerAdmittedByte());
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
        : LiveAttribute.percent((double) stats.usedBytes() / stats.capacityBytes());
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
    return stats().dataSetBytes().orElse(-1);
  }

  @Override
  public String getCopyOrder() {
    return stats().copyOrder();
  }
}
