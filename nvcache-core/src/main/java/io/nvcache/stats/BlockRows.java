// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import static io.nvcache.stats.Stat.count;
import static io.nvcache.stats.Stat.ledger;
import static io.nvcache.stats.Stat.level;
import static io.nvcache.stats.Stat.percent;
import static io.nvcache.stats.Stat.rounded;
import static io.nvcache.stats.Stat.unnamed;

import io.nvcache.CacheStats;
import io.nvcache.control.ReasonLedger;
import java.util.List;

/** The counts of blocks and their medium: rows of the {@link StatTable}. */
final class BlockRows {
  private BlockRows() {}

  static List<Stat> removals() {
    String evicted = "Evicted blocks";
    return List.of(
        count("Evictions", "Blocks evicted by the policy to make room.", CacheStats::evictions)
            .entry("removal.evicted")
            .counter("nvcache.evictions", evicted, "cause", "policy"),
        count(
                "Displacements",
                "Blocks evicted because the index had no slot for a new one.",
                CacheStats::displacements)
            .entry("removal.displaced")
            .counter("nvcache.evictions", evicted, "cause", "displaced"),
        count(
                "Rebalancings",
                "Blocks evicted to give their extent to another size class.",
                CacheStats::rebalancings)
            .entry("removal.rebalanced")
            .counter("nvcache.evictions", evicted, "cause", "rebalanced"),
        count(
                "EvictedBytes",
                "Bytes of all blocks evicted, displaced or rebalanced away.",
                CacheStats::evictedBytes)
            .entry("bytes.evicted"),
        count(
                "DeferredEvictions",
                "Times that an eviction was due and overhead was over OverheadTargetPercent.",
                CacheStats::deferredEvictions)
            .entry("eviction.deferred")
            .counter(
                "nvcache.evictions.deferred",
                "Times that an eviction was due and overhead was over the target"),
        count(
                "ImportantBytes",
                "Bytes of blocks that eviction passes over, since their store calls them"
                    + " important.",
                CacheStats::importantBytes)
            .gauge("nvcache.important.bytes", "Of blocks that eviction passes over"),
        count(
                "ImportantSpared",
                "Victims that were passed over, being important.",
                CacheStats::importantSpared)
            .entry("eviction.spared")
            .counter("nvcache.important.spared"),
        count(
                "ImportantDemoted",
                "Important blocks that became ordinary, past ImportantSharePercent.",
                CacheStats::importantDemoted)
            .entry("important.demoted")
            .counter("nvcache.important.demoted"),
        count("Invalidations", "Blocks that the store invalidated.", CacheStats::invalidations)
            .entry("removal.invalidated")
            .counter("nvcache.invalidations"),
        count(
                "InvalidatedBytes",
                "Bytes of the blocks that the store invalidated.",
                CacheStats::invalidatedBytes)
            .entry("bytes.invalidated"),
        unnamed(ReasonLedger::quarantinedBlocks).entry("removal.quarantined"),
        unnamed(ReasonLedger::quarantinedBytes).entry("bytes.quarantined"),
        unnamed(ReasonLedger::driveLossBlocks)
            .entry("removal.drive_lost")
            .counter("nvcache.drive.losses", "Blocks lost with one of several drives"),
        unnamed(ReasonLedger::driveLossBytes).entry("bytes.drive_lost"),
        ledger(
                "PolicyFailures",
                "Exceptions of policies, each of which cost them one decision.",
                ReasonLedger::policyFailures)
            .entry("failure.policy")
            .counter("nvcache.policy.failures"));
  }

  static List<Stat> medium() {
    return List.of(
        count("MediumReadBytes", "Bytes read from the medium.", CacheStats::mediumReadBytes)
            .counter("nvcache.medium.read.bytes"),
        count("MediumWrittenBytes", "Bytes written to the medium.", CacheStats::mediumWrittenBytes)
            .entry("bytes.written")
            .counter("nvcache.medium.written.bytes"),
        count(
                "DeviceWrittenBytes",
                "Bytes that the medium's device wrote, in its whole units (4 KiB on most SSDs).",
                CacheStats::deviceWrittenBytes)
            .counter(
                "nvcache.device.written.bytes",
                "Bytes that the medium's device wrote, in its whole units"),
        level(
            "DeviceBytesPerAdmittedByte",
            "DeviceWrittenBytes divided by AdmittedBytes + ReinsertedBytes; 0 before the"
                + " first.",
            stats -> rounded(stats.deviceBytesPerAdmittedByte())),
        unnamed(ReasonLedger::wastedBytes).entry("bytes.wasted"),
        count(
                "Reinsertions",
                "Cached blocks written once more, since their regions were reclaimed.",
                CacheStats::reinsertions)
            .entry("blocks.reinserted"),
        count("ReinsertedBytes", "Bytes of the reinserted blocks.", CacheStats::reinsertedBytes)
            .entry("bytes.reinserted")
            .counter(
                "nvcache.reinserted.bytes",
                "Bytes of cached blocks written once more, since their regions were reclaimed"),
        count(
            "DiscardedRegions",
            "Regions without blocks that the medium has discarded.",
            CacheStats::discardedRegions),
        count(
                "DiscardedBytes",
                "Bytes of the discarded regions, without their headers.",
                CacheStats::discardedBytes)
            .entry("bytes.discarded")
            .counter(
                "nvcache.discarded.bytes",
                "Bytes of regions without blocks that the medium has discarded"),
        count(
                "DiscardFailures",
                "Discards of regions that failed; after the first, no more are tried.",
                CacheStats::discardFailures)
            .entry("failure.discard")
            .counter("nvcache.discard.failures"),
        count(
                "MediumFailures",
                "Reads and writes that the medium failed.",
                CacheStats::mediumFailures)
            .entry("failure.medium")
            .counter("nvcache.medium.failures"));
  }

  static List<Stat> restart() {
    return List.of(
        count(
                "RestoredBlocks",
                "Blocks of an earlier cache that were found on the medium.",
                CacheStats::restoredBlocks)
            .entry("blocks.restored"),
        unnamed(ledger -> ledger.stats().restoredBytes()).entry("bytes.restored"));
  }

  static List<Stat> levels() {
    return List.of(
        count("Blocks", "Blocks cached now.", CacheStats::blocks)
            .gauge("nvcache.blocks", "Blocks cached"),
        unnamed(ReasonLedger::liveBlocks).entry("blocks.live"),
        count("BlockBytes", "Bytes of the blocks cached now.", CacheStats::blockBytes)
            .entry("bytes.live")
            .gauge("nvcache.block.bytes", "Blocks cached"),
        count(
                "UsedBytes",
                "Bytes of the medium in use now, rounding included.",
                CacheStats::usedBytes)
            .entry("bytes.used")
            .gauge("nvcache.used.bytes", "Medium in use"),
        level(
            "UsedPercent",
            "UsedBytes in percent of CapacityBytes.",
            stats ->
                stats.capacityBytes() == 0
                    ? 0
                    : percent((double) stats.usedBytes() / stats.capacityBytes())),
        count("CapacityBytes", "Bytes of the medium.", CacheStats::capacityBytes)
            .gauge("nvcache.capacity.bytes", "Medium"),
        count("PinnedBytes", "Bytes held by pins now.", CacheStats::pinnedBytes)
            .gauge("nvcache.pinned.bytes", "Held by pins"),
        count(
                "MetadataBytes",
                "Bytes of DRAM of the index, the allocator, the file table, the policies and the"
                    + " buffers.",
                CacheStats::metadataBytes)
            .gauge("nvcache.metadata.bytes", "DRAM of index, allocator, policies"),
        count(
            "DataSetBytes",
            "Bytes of the files that the store serves; -1 if unknown.",
            stats -> stats.dataSetBytes().orElse(-1)),
        level(
                "",
                "",
                stats ->
                    stats.dataSetBytes().isPresent()
                        ? stats.dataSetBytes().getAsLong()
                        : Double.NaN)
            .gauge("nvcache.dataset.bytes", "Files that the store serves; NaN if unknown"));
  }
}
