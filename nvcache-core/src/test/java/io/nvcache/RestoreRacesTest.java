// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.medium.CrashDisk;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Blocks that are restored by the cache's own thread while others offer and invalidate them: what
 * was invalidated never comes back, and what was offered is there once.
 *
 * <p>{@code -Dnvcache.restoreRaces=10000} runs as many rounds.
 */
@Timeout(120)
final class RestoreRacesTest {
  private static final int ROUNDS = Integer.getInteger("nvcache.restoreRaces", 60);
  private static final int CAPACITY = 4 << 20;
  private static final int PAGE = 4096;
  private static final int LENGTH = 4000;
  private static final int BLOCKS = 250;
  private static final long DROPPED = 7;
  private static final long OFFERED = 8;
  private static final long PARTLY_DROPPED = 9;

  private static byte[] image = new byte[0];

  private static FileIdentity identity(long bytesOf) {
    return FileIdentity.of("test", Long.toString(bytesOf));
  }

  private static BlockCache open(byte[] bytes) {
    return BlockCache.builder()
        .medium(new CrashDisk(bytes))
        .maxBlockBytes(PAGE)
        .expectedBlockBytes(PAGE)
        .admission(AdmissionPresets.admitAll())
        .build();
  }

  @BeforeAll
  static void fill() {
    CrashDisk disk = new CrashDisk(CAPACITY);
    try (BlockCache cache = WarmRestartTest.builder(disk).build()) {
      for (long file = DROPPED; file <= PARTLY_DROPPED; file++) {
        cache.identify(file, identity(file));
      }
      for (int block = 0; block < BLOCKS; block++) {
        for (long file = DROPPED; file <= PARTLY_DROPPED; file++) {
          assertThat(offer(cache, file, file, block)).isEqualTo(OfferResult.ADMITTED);
        }
      }
    }
    image = disk.afterKill();
  }

  private static OfferResult offer(BlockCache cache, long fileId, long bytesOf, int block) {
    long offset = (long) block * PAGE;
    return cache.offer(fileId, offset, TestBlock.of(bytesOf, offset, LENGTH), Source.READ);
  }

  private static int countHits(BlockCache cache, long fileId, long bytesOf) {
    int hits = 0;
    for (int block = 0; block < BLOCKS; block++) {
      long offset = (long) block * PAGE;
      ByteBuffer dst = ByteBuffer.allocate(LENGTH);
      if (cache.get(fileId, offset, dst) != BlockCache.MISS) {
        hits++;
        TestBlock.assertMatches(dst.flip(), bytesOf, offset, LENGTH);
      }
    }
    return hits;
  }

  private static boolean isRestoring(BlockCache cache) {
    return cache.control().restore().state() == State.RESTORING;
  }

  @Test
  void shouldNeverBringBackWhatWasInvalidatedNorDoubleWhatWasOffered() throws Exception {
    SplittableRandom random = new SplittableRandom(25);
    int amidst = 0; // Invalidations that came while it restored.
    for (int round = 0; round < ROUNDS; round++) {
      try (BlockCache cache = open(image)) {
        long spins = random.nextLong(1 << random.nextInt(4, 18));
        CountDownLatch ready = new CountDownLatch(1);
        CompletableFuture<Void> offers =
            CompletableFuture.runAsync(
                () -> {
                  cache.identify(OFFERED, identity(OFFERED));
                  ready.countDown();
                  for (int block = 0; block < BLOCKS; block += 3) {
                    offer(cache, OFFERED, OFFERED, block);
                  }
                });
        cache.identify(DROPPED, identity(DROPPED));
        cache.identify(PARTLY_DROPPED, identity(PARTLY_DROPPED));
        ready.await();
        for (long spin = 0; spin < spins; spin++) {
          Thread.onSpinWait();
        }
        amidst += isRestoring(cache) ? 1 : 0;
        cache.invalidateFile(DROPPED);
        cache.identify(17, identity(DROPPED));
        assertThat(countHits(cache, 17, DROPPED)).isZero();
        boolean was = cache.invalidate(PARTLY_DROPPED, 0);
        long offset = 0;
        assertThat(cache.get(PARTLY_DROPPED, offset, ByteBuffer.allocate(LENGTH)))
            .isEqualTo(BlockCache.MISS);
        offers.get();
        while (isRestoring(cache)) {
          Thread.onSpinWait();
        }
        assertThat(countHits(cache, 17, DROPPED)).as("spins %d", spins).isZero();
        assertThat(cache.get(PARTLY_DROPPED, offset, ByteBuffer.allocate(LENGTH)))
            .as("invalidated before: %s", was)
            .isEqualTo(BlockCache.MISS);
        // An offer before the file had its number again may leave a restored block no slot.
        assertThat(countHits(cache, OFFERED, OFFERED)).isGreaterThan(BLOCKS * 9 / 10);
        while (!cache.control().ledger().contradictions().isEmpty()) {
          Thread.onSpinWait(); // The blocks of dropped files are being reclaimed.
        }
        assertThat(cache.control().health().indexFaults()).isZero();
        assertThat(cache.control().health().checksumFailures()).isZero();
      }
    }
    assumeThat(amidst).as("races that were met").isPositive();
  }
}
