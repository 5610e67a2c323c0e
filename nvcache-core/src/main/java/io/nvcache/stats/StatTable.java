// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import java.util.List;
import java.util.stream.Stream;

/**
 * The table of what is counted and measured of a cache: JMX, Micrometer, the ledger and the
 * reference pages follow it. A new counter is a constant in {@link Counter} and a row in {@link
 * CallRows}, {@link BlockRows} or {@link StateRows}:
 *
 * <pre>{@code
 * sum("DiscardFailures", "Discards of regions that failed.", Counter.DISCARD_FAILURES)
 *     .entry("failure.discard")
 *     .counter("nvcache.discard.failures")
 * }</pre>
 *
 * <p>Names that have been released stay: operators have them in dashboards, alerts and scripts.
 */
public final class StatTable {
  /** All rows. */
  public static final List<Stat> ROWS =
      Stream.of(
              CallRows.lookups(),
              CallRows.offers(),
              CallRows.offersBySource(),
              BlockRows.removals(),
              BlockRows.medium(),
              BlockRows.restart(),
              BlockRows.levels(),
              CallRows.rewrites(),
              StateRows.service(),
              StateRows.conditions(),
              StateRows.miniatures())
          .flatMap(List::stream)
          .toList();

  private StatTable() {}
}
