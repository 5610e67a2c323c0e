// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import io.nvcache.ycsb.BenchmarkResult;
import io.nvcache.ycsb.CacheSettings;
import io.nvcache.ycsb.MediumChoice;
import io.nvcache.ycsb.store.DirectIoStatus;
import java.util.ArrayList;
import java.util.List;

/** What a reader has to know before believing the figures. */
public final class Notes {
  private Notes() {}

  /** One sentence or two for each. */
  public static List<String> of(BenchmarkResult result) {
    List<String> notes = new ArrayList<>();
    if (result.interrupted()) {
      notes.add("The benchmark was cut short; runs that had not begun are missing.");
    }
    notes.add(integrity(result));
    notes.add(directIo(result.store().directIo()));
    if (result.settings().cache().medium() == MediumChoice.EMULATED_NVRAM) {
      notes.add(
          "The NVRAM is emulated: memory slowed down to the bandwidths that SoCC '22 (Figs. 1"
              + " and 2) reports for the readers and writers under way. Figures from a real device"
              + " will differ.");
    }
    notes.add(smallBypass(result));
    notes.add(noise(result));
    return List.copyOf(notes);
  }

  private static String integrity(BenchmarkResult result) {
    return "%s rows were read and checked: %s. Failed operations: %s."
        .formatted(
            Figures.count(result.verifiedReads()),
            result.wrongValues() == 0
                ? "no wrong values"
                : Figures.count(result.wrongValues()) + " WRONG VALUES",
            Figures.count(result.failedOperations()));
  }

  private static String directIo(DirectIoStatus status) {
    return status.mode() == DirectIoStatus.Mode.ENABLED
        ? "The store reads its files with direct I/O, so the page cache plays no part and a miss in"
            + " both tiers costs a disk access."
        : "DIRECT I/O WAS REFUSED ("
            + status.reason()
            + "): the page cache serves many of the reads counted as disk reads, which makes a miss"
            + " cheaper than on a disk and a second tier look worse. Choose a --directory on a real"
            + " disk.";
  }

  private static String smallBypass(BenchmarkResult result) {
    CacheSettings cache = result.settings().cache();
    if (cache.smallBypassDramBytes() == 0) {
      return "The small bypass is off: the cache is used however small the data set is.";
    }
    return ("A cache bypasses itself while DRAM can hold the data set (small bypass). This data set"
            + " would fit in any server, so the cache was told to reckon with %s of DRAM for the"
            + " page cache.")
        .formatted(Figures.bytes(cache.smallBypassDramBytes()));
  }

  private static String noise(BenchmarkResult result) {
    return result.settings().run().rounds() == 1
        ? "Policies ran one after the other on the same data, once: differences of a few per cent"
            + " may be noise of the machine. --rounds 3 alternates the order and shows the spread."
        : "Each policy ran "
            + result.settings().run().rounds()
            + " times in alternating order; figures are medians, ratios are taken round by round,"
            + " and the spread is (fastest − slowest) / median.";
  }
}
