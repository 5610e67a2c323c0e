// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.background.SafeLog;
import io.nvcache.control.RestoreLoss;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.regions.AppendLog;
import io.nvcache.internal.regions.RegionFooter;
import io.nvcache.internal.regions.RegionTable;
import io.nvcache.internal.regions.Superblock;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enters into the index what an earlier cache left in its regions, the newest first, while the
 * cache serves: first looks at the ends of all regions, then reads one footer at a time. No block
 * is read.
 *
 * <p><b>Guarantees.</b> A block that is in the index already stays. A file that was invalidated, or
 * a block of it, since the cache was built is not restored. A region in doubt is dropped, and
 * counted. Nothing is appended to before it is known which regions are free.
 *
 * <p>Used by one thread at a time.
 */
public final class RegionRestore {
  private static final Logger LOG = LoggerFactory.getLogger(RegionRestore.class);

  private final AppendLog log;
  private final RegionTable table;
  private final RegionScan scan;
  private final RegionReader reader;
  private final RestoredEntries entries;
  private final FileIdentities identities;
  private final Superblock previous;
  private final CallGate gate;
  private final RestoreProgress progress;

  /** Regions that are yet to be restored, the newest first. */
  private Deque<RegionReader.Found> waiting = new ArrayDeque<>();

  private volatile boolean ended;

  public RegionRestore(
      AppendLog log,
      RegionScan scan,
      RestoredEntries entries,
      FileIdentities identities,
      Superblock previous,
      CallGate gate,
      RestoreProgress progress) {
    this.log = log;
    this.table = log.table();
    this.scan = scan;
    this.reader = scan.newReader();
    this.entries = entries;
    this.identities = identities;
    this.previous = previous;
    this.gate = gate;
    this.progress = progress;
    table.beginRestore();
    entries.begin();
    identities.beginRestoring(previous.nextFileNumber());
    progress.begin(table.count());
  }

  /** Returns whether something is left that can be done. */
  boolean isActive() {
    return !ended && !gate.isClosed();
  }

  /** Deals with the next region, or first looks at all of them. */
  void step() {
    if (!isActive()) {
      return;
    }
    if (table.awaitsRestore()) {
      look();
      return;
    }
    if (table.wanted() > 0 && !waiting.isEmpty()) {
      drop(waiting.removeLast(), RestoreLoss.RECLAIMED); // Blocks that come need room.
    }
    RegionReader.Found next = waiting.pollFirst();
    if (next != null) {
      restore(next);
    }
    if (waiting.isEmpty()) {
      end();
    }
  }

  private void end() {
    ended = true;
    identities.endRestoring();
    progress.end();
    SafeLog.info(LOG, "{}", entries.medium() + ": " + progress.read());
  }

  /**
   * Finds the regions that can be restored, unless the cache is closed before. If it finds no
   * memory, it can be done again: the log begins at the end, when all else is known.
   */
  private void look() {
    List<RegionReader.Found> complete = new ArrayList<>();
    BitSet blanks = new BitSet();
    Map<RestoreLoss, Long> lost = new EnumMap<>(RestoreLoss.class);
    RegionReader.Judge judge = new RegionReader.Judge(previous);
    long newest = previous.generationLimit() - 1;
    RegionReader.@Nullable Found @Nullable [] seen = scan.look(reader, table.count());
    if (seen == null) {
      return;
    }
    for (RegionReader.Found found : seen) {
      if (found == null) {
        lost.merge(RestoreLoss.UNREADABLE, 1L, Long::sum);
        continue;
      }
      newest = Math.max(newest, found.generation());
      if (found.generation() >= 0) {
        table.putHeader(found.region(), found.generation());
      }
      RestoreLoss loss = judge.loss(found);
      if (loss == null) {
        complete.add(found);
      } else {
        lost.merge(loss, 1L, Long::sum);
        blanks.set(found.region(), loss == RestoreLoss.BLANK);
      }
    }
    complete.sort(Comparator.comparingLong(RegionReader.Found::generation).reversed());
    complete.forEach(found -> table.adopt(found.region(), found.generation()));
    waiting = new ArrayDeque<>(complete);
    log.endRestore(newest + 1, blanks);
    lost.forEach(progress::lose);
  }

  private void drop(RegionReader.Found found, RestoreLoss why) {
    table.free(found.region());
    progress.lose(why, 1);
  }

  private void restore(RegionReader.Found found) {
    RegionFooter footer;
    try {
      footer = reader.readFooter(found);
    } catch (IOException | RuntimeException | InternalError failure) {
      drop(found, RestoreLoss.UNREADABLE);
      return;
    }
    if (footer == null) {
      drop(found, RestoreLoss.DAMAGED);
      return;
    }
    RestoredEntries.Region region = entries.of(footer);
    for (int from = 0; from < footer.blocks(); from += RestoredEntries.AT_ONCE) {
      int stripe = gate.begin();
      try {
        if (gate.isClosed()) {
          return;
        }
        region.restore(from, Math.min(footer.blocks(), from + RestoredEntries.AT_ONCE), stripe);
      } finally {
        gate.end(stripe);
      }
    }
    progress.restored(region.blocks(), region.bytes(), region.lost());
  }
}
