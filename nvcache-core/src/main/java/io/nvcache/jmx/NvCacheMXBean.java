// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import java.util.Map;

/**
 * One cache's counters, levels and live settings over JMX, as open types only, so that a console
 * needs none of our classes. {@link AttributeDescriptions} says what each attribute is, with units
 * and ranges, and consoles show that.
 *
 * <p>Reading an attribute of a cache that was dropped throws {@link IllegalStateException} and
 * unregisters the bean. Setting one out of its range throws {@link IllegalArgumentException} and
 * changes nothing; every change is logged with the old and the new value.
 */
public interface NvCacheMXBean {
  long getLookups();

  long getHits();

  long getMisses();

  double getHitRatioPercent();

  long getHitBytes();

  long getRefusedPins();

  long getContendedLookups();

  Map<String, Long> getOffersByResult();

  Map<String, Long> getOffersBySource();

  long getOffersAdmitted();

  long getOffersAlreadyCached();

  long getOffersBypassedSmall();

  long getOffersBypassedOverhead();

  long getOffersNotWorthIt();

  long getOffersTooLarge();

  long getOffersNoSpace();

  long getOffersMediumBusy();

  long getOffersMediumFailed();

  long getOffersOutOfService();

  long getOffersClosed();

  long getAdmittedBytes();

  double getWritesPerLookup();

  double getOverheadPercent();

  long getEvictions();

  long getDisplacements();

  long getRebalancings();

  long getEvictedBytes();

  long getDeferredEvictions();

  long getInvalidations();

  long getInvalidatedBytes();

  long getMediumReadBytes();

  long getMediumWrittenBytes();

  long getMediumFailures();

  boolean isInService();

  String getOutOfServiceReason();

  long getOutages();

  long getRefusedLookups();

  long getStuckCalls();

  long getChecksumFailures();

  long getQuarantinedBlocks();

  long getQuarantinedBytes();

  long getIndexFaults();

  long getSpaceFaults();

  long getOpenLeases();

  void takeOutOfService(String reason);

  void returnToService();

  long getBlocks();

  long getBlockBytes();

  long getUsedBytes();

  double getUsedPercent();

  long getCapacityBytes();

  long getPinnedBytes();

  long getMetadataBytes();

  long getDataSetBytes();

  double getOverheadTargetPercent();

  void setOverheadTargetPercent(double percent);

  long getSmallBypassDramBytes();

  void setSmallBypassDramBytes(long bytes);

  double getSmallBypassFractionPercent();

  void setSmallBypassFractionPercent(double percent);

  long getEvictionWindowSeconds();

  void setEvictionWindowSeconds(long seconds);

  double getFullTargetPercent();

  void setFullTargetPercent(double percent);
}
