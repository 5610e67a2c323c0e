// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.MissReason;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What reads of regions do when buffers run out, and with those of reads that failed. */
@Timeout(60)
final class RegionBuffersTest {
  private static final long FILE = 7;
  private static final int LENGTH = 8 << 10;
  private static final int LONGEST = 256 << 10;
  private static final int BLOCKS = 2_000;
  private static final int AT_ONCE = 5;

  private final NativeMedium inner = NativeMedium.allocate(64 << 20);

  /** Of a block, its header, what is read around them, and what aligns them. */
  private final long readBytes = LENGTH + 32 + 3L * inner.alignmentBytes();

  private BlockCache open(Medium medium) {
    return BlockCache.builder()
        .medium(medium)
        .placement(BlockPlacement.REGIONS)
        .maxBlockBytes(LONGEST)
        .expectedBlockBytes(LENGTH)
        .maxMediumFailures(Integer.MAX_VALUE)
        .admission(AdmissionPresets.admitAll())
        .testing(TestHook.bufferBytes(AT_ONCE * readBytes))
        .maintainedByCaller()
        .build();
  }

  private static void fill(BlockCache cache) {
    for (int block = 0; block < BLOCKS; block++) {
      long offset = (long) block * LENGTH;
      assertThat(cache.offer(FILE, offset, TestBlock.of(FILE, offset, LENGTH), Source.READ))
          .isEqualTo(OfferResult.ADMITTED);
    }
  }

  private static boolean get(BlockCache cache, int block) {
    long offset = (long) block * LENGTH;
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    boolean hit = cache.get(FILE, offset, dst) == LENGTH;
    if (hit) {
      TestBlock.assertMatches(dst.flip(), FILE, offset, LENGTH);
    }
    return hit;
  }

  @Test
  void shouldMissAndCountItWhereAllBuffersAreInUse() throws InterruptedException {
    Semaphore inside = new Semaphore(0);
    CountDownLatch goOn = new CountDownLatch(1);
    ThreadLocal<Boolean> waits = ThreadLocal.withInitial(() -> false);
    Medium slow =
        new FaultyMedium(inner) {
          @Override
          public void read(long offset, ByteBuffer dst, int length) throws IOException {
            if (waits.get()) {
              inside.release();
              await(goOn);
            }
            super.read(offset, dst, length);
          }
        };
    try (BlockCache cache = open(slow)) {
      fill(cache);
      List<CompletableFuture<Boolean>> readers = new ArrayList<>();
      for (int reader = 0; reader < AT_ONCE; reader++) {
        int block = reader;
        readers.add(
            CompletableFuture.supplyAsync(
                () -> {
                  waits.set(true);
                  return get(cache, block);
                },
                task -> new Thread(task).start()));
      }
      inside.acquire(AT_ONCE);
      for (int block = AT_ONCE; block < 2 * AT_ONCE; block++) {
        assertThat(get(cache, block)).isFalse();
      }
      assertThat(cache.control().ledger().misses(MissReason.NO_DIRECT_MEMORY)).isEqualTo(AT_ONCE);
      goOn.countDown();
      assertThat(readers).allMatch(CompletableFuture::join);
      assertThat(get(cache, AT_ONCE)).isTrue();
      assertThat(cache.control().health().inService()).isTrue();
      assertThat(cache.stats().mediumFailures()).isZero();
      assertThat(cache.control().ledger().contradictions()).isEmpty();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A medium that gives a read up may still be writing to the buffer, on its own thread. */
  @Test
  void shouldLendNoBufferAgainThatAFailedReadMayStillWriteTo() {
    List<ByteBuffer> given = new ArrayList<>();
    Medium late =
        new FaultyMedium(inner) {
          @Override
          public void read(long offset, ByteBuffer dst, int length) throws IOException {
            if (given.size() < 2) {
              given.add(dst.duplicate().limit(length));
              throw new IOException("took too long");
            }
            super.read(offset, dst, length);
            given.forEach(buffer -> buffer.duplicate().put(new byte[buffer.remaining()]));
          }
        };
    try (BlockCache cache = open(late)) {
      fill(cache);
      for (int block = 0; block < 20; block++) {
        assertThat(get(cache, block)).as("block %s", block).isEqualTo(block >= 2);
      }
      assertThat(cache.control().health().checksumFailures()).isZero();
    }
    given.forEach(buffer -> buffer.put(0, (byte) 1)); // The memory is still there.
  }

  @Test
  void shouldCountItsBuffersAsMetadata() {
    try (BlockCache cache = open(inner)) {
      fill(cache);
      long before = cache.stats().metadataBytes();
      assertThat(before).as("with the buffer that the log ends in").isGreaterThan(1 << 20);
      assertThat(get(cache, 0)).isTrue();
      assertThat(cache.stats().metadataBytes() - before).isEqualTo(readBytes);
    }
  }
}
