// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import java.util.List;
import java.util.Map;

/**
 * One cache's counters, levels and live settings over JMX, as open types only, so that a console
 * needs none of our classes: what a typed proxy can ask for. The bean may have attributes that came
 * later, to be read by their names; it says what each is, with units and ranges, and consoles show
 * that.
 *
 * <p>Reading an attribute of a cache that was dropped throws {@link IllegalStateException} and
 * unregisters the bean. Setting one out of its range throws {@link IllegalArgumentException} and
 * changes nothing; every change, over JMX or not, is logged with the old and the new value and who
 * made it, and sent as an {@link javax.management.AttributeChangeNotification} with the latter as
 * its user data. Every call of an operation is logged likewise and sent as a notification of the
 * type {@code io.nvcache.operation}, with who called it as user data. Changes of state are sent as
 * notifications of the types {@code io.nvcache.condition.begun} and {@code
 * io.nvcache.condition.ended} with the condition's name as user data.
 */
public interface NvCacheMXBean {
  long getLookups();

  long getHits();

  long getMisses();

  double getHitRatioPercent();

  long getHitBytes();

  long getRefusedPins();

  long getContendedLookups();

  Map<String, Long> getMissesByReason();

  Map<String, Long> getOffersByResult();

  Map<String, Long> getOffersBySource();

  long getOffersAdmitted();

  long getOffersAlreadyCached();

  long getOffersBypassedSmall();

  long getOffersBypassedOverhead();

  long getOffersBypassedWriteLimit();

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

  long getImportantBytes();

  long getImportantSpared();

  long getImportantDemoted();

  long getInvalidations();

  long getInvalidatedBytes();

  long getMediumReadBytes();

  long getMediumWrittenBytes();

  long getDeviceWrittenBytes();

  double getDeviceBytesPerAdmittedByte();

  long getReinsertions();

  long getRestoredBlocks();

  String getRestore();

  String getMedium();

  long getReinsertedBytes();

  long getDiscardedRegions();

  long getDiscardedBytes();

  long getDiscardFailures();

  long getMediumFailures();

  String getState();

  String getProblem();

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

  long getSecondsSinceMaintenance();

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

  String getCopyOrder();

  Map<String, Long> getLedger();

  List<String> getLedgerContradictions();

  Map<String, String> getConditions();

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

  double getImportantSharePercent();

  void setImportantSharePercent(double percent);

  long getMaxPinnedBytes();

  void setMaxPinnedBytes(long bytes);

  long getWriteLimitBytesPerSecond();

  void setWriteLimitBytesPerSecond(long bytes);

  long getWriteLimitBytesPerDay();

  void setWriteLimitBytesPerDay(long bytes);

  double getShadowSamplePercent();

  void setShadowSamplePercent(double percent);

  List<String> getShadowCandidates();

  void setShadowCandidates(List<String> specs);

  Map<String, Double> getShadowHitRatioPercent();

  Map<String, Double> getShadowWritesPerLookup();

  List<String> getShadowVerdicts();

  Map<String, Double> getSizeCurvePercent();

  Map<String, Double> getLruCurvePercent();

  long getShadowLookups();

  long getShadowSampledLookups();

  long getShadowDroppedEvents();

  String getTuning();

  /** Starts to move the overhead target between bounds, in percent, given a cost of misses. */
  void startTuning(double leastPercent, double mostPercent, long missMicros);

  /** Ends that; the overhead target stays where it is. */
  void stopTuning();

  /** Starts the shadows again. */
  void resetShadows();
}
