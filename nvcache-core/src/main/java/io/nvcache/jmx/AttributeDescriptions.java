// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import static java.util.Map.entry;

import io.nvcache.control.Condition;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** What each attribute of {@link NvCacheMXBean} is, in words for a console. */
final class AttributeDescriptions {
  private static final Map<String, String> BY_ATTRIBUTE =
      Map.ofEntries(
          entry("Lookups", "Calls of get and pin since the cache was built."),
          entry("Hits", "Lookups that found their block."),
          entry("Misses", "Lookups that did not find their block, whatever the reason."),
          entry("HitRatioPercent", "Hits per lookup, in percent; 0 before the first lookup."),
          entry("HitBytes", "Bytes of the blocks found."),
          entry(
              "RefusedPins",
              "Pins refused, or given as copies: pins hold all they may, or no memory is left."),
          entry(
              "ContendedLookups",
              "Lookups answered with a miss because writers kept the bucket busy."),
          entry("MissesByReason", "Lookups that did not find their block, by reason."),
          entry(
              "Ledger",
              "Every lookup, offer, removal and byte by what became of it, as account.reason."),
          entry(
              "LedgerContradictions",
              "Sums of the ledger that do not agree, in words; while calls run, one may be caught"
                  + " between two of its counts."),
          entry(
              "Conditions",
              "What the cache is in now, and why: "
                  + Arrays.stream(Condition.values())
                      .map(Condition::name)
                      .collect(Collectors.joining(", "))
                  + "; empty if all is well."),
          entry("OffersByResult", "Offered blocks by what became of them."),
          entry("OffersBySource", "Offered blocks by what brought them."),
          entry("OffersAdmitted", "Offers written to the medium, in blocks."),
          entry("OffersAlreadyCached", "Offers of blocks that were there already."),
          entry(
              "OffersBypassedSmall",
              "Offers refused because the data set fits in SmallBypassDramBytes."),
          entry(
              "OffersBypassedOverhead",
              "Offers refused because medium writes per lookup are over OverheadTargetPercent."),
          entry(
              "OffersBypassedWriteLimit",
              "Offers refused because they would exceed WriteLimitBytesPerSecond or"
                  + " WriteLimitBytesPerDay."),
          entry(
              "OffersNotWorthIt",
              "Offers refused because admission holds other blocks to be worth more."),
          entry("OffersTooLarge", "Offers refused because the block is longer than maxBlockBytes."),
          entry("OffersNoSpace", "Offers refused because there was no room and none to be made."),
          entry(
              "OffersMediumBusy",
              "Offers refused because as many threads write to the medium as it bears."),
          entry("OffersMediumFailed", "Offers that the medium failed to take."),
          entry(
              "OffersOutOfService",
              "Offers refused because the medium fails or hangs and is not asked for now."),
          entry("OffersClosed", "Offers made after the cache was closed."),
          entry("AdmittedBytes", "Bytes of the admitted blocks."),
          entry("WritesPerLookup", "Blocks written to the medium per lookup, as a ratio."),
          entry(
              "OverheadPercent",
              "Medium writes per lookup as the admission policy sees it, in percent;"
                  + " NaN if it keeps no such ratio."),
          entry("Evictions", "Blocks evicted by the policy to make room."),
          entry("Displacements", "Blocks evicted because the index had no slot for a new one."),
          entry("Rebalancings", "Blocks evicted to give their extent to another size class."),
          entry("EvictedBytes", "Bytes of all blocks evicted, displaced or rebalanced away."),
          entry(
              "DeferredEvictions",
              "Evictions not done because overhead was over OverheadTargetPercent."),
          entry("Invalidations", "Blocks forgotten on the store's word."),
          entry("InvalidatedBytes", "Bytes of the blocks forgotten on the store's word."),
          entry("MediumReadBytes", "Bytes read from the medium."),
          entry("MediumWrittenBytes", "Bytes written to the medium."),
          entry(
              "DeviceWrittenBytes",
              "Bytes that the medium's device wrote for them: whole units of it."),
          entry(
              "DeviceBytesPerAdmittedByte",
              "DeviceWrittenBytes by the sum of AdmittedBytes and ReinsertedBytes; 0 before the"
                  + " first."),
          entry(
              "Reinsertions",
              "Cached blocks written once more, since their regions were reclaimed."),
          entry("ReinsertedBytes", "Bytes of these blocks."),
          entry("DiscardedRegions", "Regions without blocks that the medium has discarded."),
          entry("DiscardedBytes", "Bytes of these regions, without their headers."),
          entry(
              "DiscardFailures",
              "Discards of regions that failed; after the first, no more are tried."),
          entry("RestoredBlocks", "Blocks of an earlier cache that were found on the medium."),
          entry(
              "Restore",
              "What became of an earlier cache's blocks: off, cold with the reason, restoring or"
                  + " restored, with what was lost and why."),
          entry("Medium", "What the blocks lie on, with its size."),
          entry("MediumFailures", "Reads and writes that the medium failed."),
          entry(
              "State",
              "What the cache is at: SERVING, BYPASSING (for some seconds nothing offered was"
                  + " admitted) or OUT_OF_SERVICE; Problem says why."),
          entry(
              "Problem",
              "Why State is BYPASSING or OUT_OF_SERVICE, and which setting would change it; empty"
                  + " while it is SERVING."),
          entry("InService", "Whether the cache asks its medium; OutOfServiceReason says why not."),
          entry("OutOfServiceReason", "Why the cache is out of service; empty if it is not."),
          entry("Outages", "Times that the cache went out of service."),
          entry("RefusedLookups", "Lookups that missed because the cache was out of service."),
          entry(
              "StuckCalls", "Calls that had been inside for too long when the cache last looked."),
          entry("ChecksumFailures", "Reads whose bytes were not those written; misses."),
          entry("QuarantinedBlocks", "Blocks taken out because of that."),
          entry("QuarantinedBytes", "Bytes of the blocks taken out because of that."),
          entry("IndexFaults", "Corrupt entries found in the index, if it is checked (debug)."),
          entry("SpaceFaults", "Writes to free space found, if it is poisoned (debug)."),
          entry("OpenLeases", "Pins not given back, if they are tracked (debug); else 0."),
          entry(
              "SecondsSinceMaintenance",
              "Seconds since a round of the background work last ended with all it had to do."),
          entry("Blocks", "Blocks cached now."),
          entry("BlockBytes", "Bytes of the blocks cached now."),
          entry("UsedBytes", "Bytes of the medium in use now, rounding included."),
          entry("UsedPercent", "UsedBytes in percent of CapacityBytes."),
          entry("CapacityBytes", "Bytes of the medium."),
          entry("PinnedBytes", "Bytes held by pins now."),
          entry("MetadataBytes", "Bytes of DRAM taken by index, allocator and policies."),
          entry("CopyOrder", "How this JVM copies blocks: at a stroke, or which in streams."),
          entry("DataSetBytes", "Bytes of the files that the store serves; -1 if unknown."),
          entry(
              "OverheadTargetPercent",
              "Medium writes per lookup above which nothing is admitted or evicted, in percent:"
                  + " 0 (admit nothing) to 1000. Writable."),
          entry(
              "SmallBypassDramBytes",
              "DRAM that the page cache may fill, in bytes: 0 (small bypass off) or more."
                  + " Writable."),
          entry(
              "SmallBypassFractionPercent",
              "The part of the data set that has to fit in that DRAM for the small bypass,"
                  + " in percent: more than 0, at most 100. Writable."),
          entry(
              "EvictionWindowSeconds",
              "How long a block must go unused before LFRU may evict it, in seconds:"
                  + " 1 to 31536000. Writable."),
          entry(
              "FullTargetPercent",
              "How full the medium must be before LFRU evicts, in percent: 1 to 100."
                  + " Writable."),
          entry(
              "ShadowSamplePercent",
              "The part of the keys whose lookups feed the shadows, in percent: 0 (shadows off),"
                  + " 0.001 to 50, or -1 to have it chosen. A change starts them anew. Writable."),
          entry(
              "ShadowCandidates",
              "Other settings for the shadows to try, at most 8, each POLICY[@PERCENT%][*FACTOR]"
                  + " such as live@20%, paper*2. A change starts them anew. Writable."),
          entry("ShadowHitRatioPercent", "What each candidate would hit, in percent of lookups."),
          entry("ShadowWritesPerLookup", "What each candidate would write, in blocks per lookup."),
          entry("ShadowVerdicts", "What each candidate would save and cost, in words."),
          entry(
              "SizeCurvePercent",
              "Hit ratio of the cache's own policies at 1/8 to 8 times its size, in percent."),
          entry(
              "LruCurvePercent",
              "Hit ratio of LRU that takes every block, at 1/8 to 8 times the size, in percent."),
          entry(
              "Tuning",
              "What the tuning of the overhead target knows and does; startTuning and stopTuning"
                  + " start and end it."),
          entry("ShadowLookups", "Lookups of the cache since the shadows were started."),
          entry("ShadowSampledLookups", "Those of them that the shadows saw."),
          entry(
              "ShadowDroppedEvents",
              "Events of sampled keys that the shadows missed, being slower than the cache."),
          entry(
              "MaxPinnedBytes",
              "What pins may hold at once, in bytes: 0 (no pins on memory) or more. Writable."),
          entry(
              "WriteLimitBytesPerSecond",
              "What may be written to the medium in a second, in bytes of its device: 0 (no limit)"
                  + " or more. Writable."),
          entry(
              "WriteLimitBytesPerDay",
              "What may be written to the medium in any 24 hours, in bytes of its device: 0 (no"
                  + " limit) or more. Writable."));

  private AttributeDescriptions() {}

  static String of(String attribute) {
    return BY_ATTRIBUTE.getOrDefault(attribute, attribute);
  }
}
