// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.Source;
import io.nvcache.background.SafeLog;
import io.nvcache.control.ShadowReport;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All miniatures of one cache, from one start to the next. Used by one thread at a time.
 *
 * <p>A lookup that hit in the cache brings no offer, but one of a smaller miniature that missed
 * would have: it is offered the block there and then, as from the source that brought it before.
 */
final class ShadowSet implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ShadowSet.class);
  private static final double[] SIZES = {0.125, 0.25, 0.5, 1, 2, 4, 8};
  private static final int OWN_SIZE = 3;

  /** LRU's points: four to a doubling. */
  private static final int LRU_POINTS = 25;

  private static final int LRU_PER_DOUBLING = 4;

  private final ShadowContext context;
  private final double ratio;
  private final List<ShadowCache> sizes = new ArrayList<>();
  private final List<ShadowCache> candidates = new ArrayList<>();
  private final List<ShadowCache> all = new ArrayList<>();
  private final StackCurve lru;
  private final long lookupsBefore;
  private final long hitsBefore;
  private long sampledLookups;

  /**
   * Makes the miniatures.
   *
   * @throws IllegalArgumentException if their policies can't be made
   */
  ShadowSet(ShadowContext context, double ratio, List<ShadowSpec> specs) {
    this.context = context;
    this.ratio = ratio;
    this.lookupsBefore = context.traffic().lookups();
    this.hitsBefore = context.traffic().hits();
    this.lru = new StackCurve(lruBytes(context.capacityBytes() * ratio));
    try {
      for (double size : SIZES) {
        sizes.add(make(ShadowSpec.liveAt(size)));
      }
      for (ShadowSpec spec : specs) {
        candidates.add(make(spec));
      }
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private ShadowCache make(ShadowSpec spec) {
    ShadowCache made = new ShadowCache(spec, context, ratio);
    all.add(made);
    return made;
  }

  private static double lruFactor(int point) {
    return SIZES[0] * Math.pow(2, (double) point / LRU_PER_DOUBLING);
  }

  private static long[] lruBytes(double bytes) {
    long[] sizes = new long[LRU_POINTS];
    for (int i = 0; i < LRU_POINTS; i++) {
      sizes[i] = Math.round(bytes * lruFactor(i));
    }
    return sizes;
  }

  /** Takes one event of the sample. */
  void read(long fileId, long offset, long meta) {
    long key = ShadowIndex.key(fileId, offset);
    switch (KeySample.op(meta)) {
      case KeySample.HIT -> hit(key, fileId, offset, KeySample.lengthBytes(meta));
      case KeySample.MISS -> miss(key);
      case KeySample.OFFER ->
          offer(key, fileId, offset, KeySample.lengthBytes(meta), KeySample.source(meta));
      case KeySample.INVALIDATION -> {
        lru.remove(key);
        each(shadow -> shadow.invalidate(key));
      }
      default -> {
        lru.removeFile(fileId);
        each(shadow -> shadow.invalidateFile(fileId));
      }
    }
  }

  private void hit(long key, long fileId, long offset, int toldBytes) {
    StackCurve.Seen seen = lru.find(key);
    int lengthBytes =
        toldBytes > 0
            ? toldBytes
            : seen == null ? context.expectedBlockBytes() : seen.lengthBytes();
    Source source = seen == null ? Source.READ : seen.source();
    sampledLookups++;
    if (seen == null) {
      lru.put(key, fileId, lengthBytes, source);
    } else {
      lru.lookUp(seen);
    }
    each(
        shadow -> {
          if (!shadow.lookUp(key)) {
            shadow.offer(key, fileId, offset, lengthBytes, source);
          }
        });
  }

  private void miss(long key) {
    sampledLookups++;
    StackCurve.Seen seen = lru.find(key);
    if (seen != null) {
      lru.lookUp(seen);
    }
    each(shadow -> shadow.lookUp(key));
  }

  private void offer(long key, long fileId, long offset, int lengthBytes, Source source) {
    boolean isRead = source != Source.FLUSH && source != Source.COMPACTION;
    lru.put(key, fileId, lengthBytes, isRead ? source : Source.READ);
    each(shadow -> shadow.offer(key, fileId, offset, lengthBytes, source));
  }

  /** Lets time pass for policies that follow it. */
  void tick(long nowNanos) {
    each(shadow -> shadow.tick(nowNanos));
  }

  private interface Work {
    void on(ShadowCache shadow);
  }

  /** A policy that throws costs its own miniature this event, and no other. */
  private void each(Work work) {
    for (ShadowCache shadow : all) {
      try {
        work.on(shadow);
      } catch (RuntimeException | Error e) {
        SafeLog.debug(LOG, "the shadow {} failed on an event", shadow.spec().name(), e);
      }
    }
  }

  ShadowReport report(long droppedEvents) {
    long lookups = context.traffic().lookups() - lookupsBefore;
    long hits = context.traffic().hits() - hitsBefore;
    ShadowScale scale = new ShadowScale(ratio, lookups, hits, sizes.get(OWN_SIZE).counts());
    List<ShadowReport.Point> points = new ArrayList<>();
    long[] lruHits = lru.hits();
    for (int i = 0; i < LRU_POINTS; i++) {
      points.add(
          new ShadowReport.Point(
              lruFactor(i),
              Math.round(context.capacityBytes() * lruFactor(i)),
              scale.sampledRatio(lruHits[i], sampledLookups)));
    }
    return new ShadowReport(
        ratio,
        lookups,
        hits,
        sampledLookups,
        droppedEvents,
        sizes.stream().map(shadow -> candidate(shadow, scale)).toList(),
        candidates.stream().map(shadow -> candidate(shadow, scale)).toList(),
        points);
  }

  private ShadowReport.Candidate candidate(ShadowCache shadow, ShadowScale scale) {
    ShadowSpec spec = shadow.spec();
    return new ShadowReport.Candidate(
        spec.name(),
        spec.sizeFactor(),
        Math.round(context.capacityBytes() * spec.sizeFactor()),
        scale.hitRatio(shadow.counts()),
        scale.writesPerLookup(shadow.counts()),
        scale.extraHits(shadow.counts()),
        scale.extraWrites(shadow.counts()));
  }

  /** Closes all of them, whatever one of their policies throws. */
  @Override
  public void close() {
    for (ShadowCache shadow : all) {
      try {
        shadow.close();
      } catch (RuntimeException | Error e) {
        SafeLog.error(
            LOG, "the policies of shadow {} did not {}", shadow.spec().name(), "close", e);
      }
    }
  }
}
