// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.MissReason;
import io.nvcache.control.ReasonLedger;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.stats.Counter;
import io.nvcache.stats.LedgerSnapshot;
import io.nvcache.stats.StatsSnapshot;
import io.nvcache.testing.Race;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whatever happens to a cache, everything is accounted for, and by its right reason. */
final class ReasonLedgerTest {
  private static final int MAX_LENGTH = 4096;
  private static final int BLOCKS_PER_EXTENT = 8;
  private static final int FILES = 12;
  private static final int BLOCKS = 200;
  private static final int THREADS = 6;
  private static final Source[] SOURCES = Source.values();

  private final FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
  private final BlockCache cache =
      BlockCache.builder()
          .medium(medium)
          .maxBlockBytes(MAX_LENGTH)
          .expectedBlockBytes(2048)
          .admission(AdmissionPresets.admitAll())
          .maxPinnedBytes(8 << 10)
          .maxMediumFailures(Integer.MAX_VALUE)
          .maintainedByCaller()
          .build();

  @AfterEach
  void close() {
    cache.close();
  }

  private static ByteBuffer block(int length) {
    return ByteBuffer.allocate(length);
  }

  private long misses(MissReason reason) {
    return cache.control().ledger().misses(reason);
  }

  @Test
  void shouldCountEachMissByItsReason() {
    medium.showAddresses = true;
    cache.offer(1, 0, block(100), Source.READ);
    cache.offer(1, 4096, block(4096), Source.READ);
    cache.offer(1, 8192, block(4096), Source.READ);
    // Until one lies in an extent whose address was not asked for.
    for (int i = 1; i <= BLOCKS_PER_EXTENT; i++) {
      cache.offer(4, i * 4096L, block(4096), Source.READ);
    }
    long unasked = BLOCKS_PER_EXTENT * 4096L;

    cache.get(2, 0, block(100));
    cache.get(1, 100, block(100));
    cache.pin(3, 0);
    assertThat(misses(MissReason.NOT_CACHED)).isEqualTo(3);

    assertThatThrownBy(() -> cache.get(1, 0, block(99)))
        .isInstanceOf(BufferOverflowException.class);
    assertThatThrownBy(() -> cache.getRange(1, 0, 101, block(1)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(misses(MissReason.INVALID_CALL)).isEqualTo(2);

    List<PinnedBlock> pins = new ArrayList<>();
    long refused = 0;
    for (int i = 0; i < 4; i++) {
      PinnedBlock pin = cache.pin(1, 4096);
      if (pin == null) {
        refused++;
      } else {
        pins.add(pin);
      }
    }
    pins.forEach(PinnedBlock::close);
    assertThat(refused).isPositive();
    assertThat(misses(MissReason.PIN_REFUSED)).isEqualTo(refused);

    medium.showAddresses = false;
    medium.failReads = true;
    cache.get(4, unasked, block(4096));
    cache.pin(4, unasked);
    medium.failReads = false;
    assertThat(misses(MissReason.MEDIUM_FAILED)).isEqualTo(2);

    cache.close();
    cache.get(1, 0, block(100));
    cache.pin(1, 0);
    assertThat(misses(MissReason.CLOSED)).isEqualTo(2);
    assertThat(cache.control().ledger().contradictions()).isEmpty();
  }

  @Test
  void shouldBalanceAfterThreadsHaveRacedOverFailures() throws Exception {
    cache.control().settings().setWriteLimitBytesPerSecond(200_000_000);
    Race.run(THREADS, thread -> use(thread, 60_000));
    medium.failReads = false;
    medium.failWrites = false;
    cache.control().maintain();

    ReasonLedger ledger = cache.control().ledger();
    assertThat(ledger.contradictions()).isEmpty();
    CacheStats stats = ledger.stats();
    assertThat(stats.hits() + ledger.misses().values().stream().mapToLong(n -> n).sum())
        .isEqualTo(stats.lookups());
    assertThat(stats.offers().values().stream().mapToLong(n -> n).sum())
        .isEqualTo(stats.offersBySource().values().stream().mapToLong(n -> n).sum());
    assertThat(stats.mediumWrittenBytes()).isEqualTo(medium.writtenBytes.get());
    // Found by looking, not by counting.
    Map.Entry<Long, Long> found = lookForAllBlocks();
    assertThat(found.getKey()).as("blocks found").isEqualTo(stats.blocks());
    assertThat(found.getValue()).as("bytes found").isEqualTo(stats.blockBytes());
    assertThat(stats.evictions()).isPositive();
    assertThat(stats.invalidations()).isPositive();
    assertThat(ledger.misses(MissReason.MEDIUM_FAILED)).isPositive();
  }

  /** What reads them takes a count that sinks for one that began again. */
  @Test
  void shouldNeverLetMissesSink_WhileLookupsAreUnderWay() throws Exception {
    cache.offer(1, 0, block(100), Source.READ);
    AtomicInteger done = new AtomicInteger();
    Race.run(
        3,
        thread -> {
          if (thread == 0) {
            long last = 0;
            while (done.get() < 2) {
              long misses = cache.stats().misses();
              assertThat(misses).isGreaterThanOrEqualTo(last);
              last = misses;
            }
            return;
          }
          ByteBuffer target = block(100);
          try {
            for (int i = 0; i < 300_000; i++) {
              cache.get(1, i % 50 == 0 ? 100 : 0, target.clear());
            }
          } finally {
            done.incrementAndGet();
          }
        });
    assertThat(cache.stats().misses()).isEqualTo(2 * 300_000 / 50);
  }

  private void use(int thread, int operations) {
    SplittableRandom random = new SplittableRandom(7 + thread);
    for (int i = 0; i < operations; i++) {
      long file = random.nextInt(FILES);
      long offset = (long) random.nextInt(BLOCKS) * MAX_LENGTH;
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> cache.get(file, offset, block(MAX_LENGTH));
        case 4 -> {
          PinnedBlock pin = cache.pin(file, offset);
          if (pin != null) {
            pin.close();
          }
        }
        case 5 -> cache.invalidate(file, offset);
        case 6 -> {
          if (random.nextInt(200) == 0) {
            cache.invalidateFile(file);
            cache.control().maintain();
          } else if (random.nextInt(50) == 0) {
            medium.failWrites = random.nextBoolean();
            medium.failReads = random.nextInt(4) == 0;
          }
        }
        default ->
            cache.offer(
                file,
                offset,
                block(1 + random.nextInt(MAX_LENGTH + 10)),
                SOURCES[random.nextInt(SOURCES.length)]);
      }
    }
  }

  /** How many blocks, and of how many bytes. */
  private Map.Entry<Long, Long> lookForAllBlocks() {
    long blocks = 0;
    long bytes = 0;
    for (long file = 0; file < FILES; file++) {
      for (long i = 0; i < BLOCKS; i++) {
        int length = cache.get(file, i * MAX_LENGTH, block(MAX_LENGTH));
        if (length != BlockCache.MISS) {
          blocks++;
          bytes += length;
        }
      }
    }
    return Map.entry(blocks, bytes);
  }

  @Test
  void shouldTellWhichSumsContradictEachOther() {
    cache.offer(1, 0, block(100), Source.READ);
    ReasonLedger true1 = cache.control().ledger();
    StatsSnapshot stats = (StatsSnapshot) true1.stats();
    Map<Counter, Long> counts = new HashMap<>(stats.counts());
    counts.put(Counter.MISSES_CONTENDED, 1L);
    counts.put(Counter.WASTED_BYTES, 5L);
    ReasonLedger wrong =
        new LedgerSnapshot(
            new StatsSnapshot(
                counts, stats.levels(), stats.overhead(), stats.dataSetBytes(), stats.copyOrder()),
            2,
            0);

    assertThat(true1.contradictions()).isEmpty();
    assertThat(wrong.contradictions())
        .hasSize(3)
        .anyMatch(sums -> sums.contains("hits + misses are 1"))
        .anyMatch(sums -> sums.contains("blocks live + removed are 2"))
        .anyMatch(sums -> sums.contains("bytes admitted + reinserted + wasted are 105"));
  }

  @Test
  void shouldNameAnEntryForEveryReason() {
    assertThat(cache.control().ledger().entries().keySet())
        .contains("lookup.hit", "offer.bypassed_write_limit", "removal.rebalanced")
        .filteredOn(name -> name.startsWith("lookup.miss."))
        .hasSize(MissReason.values().length);
  }
}
