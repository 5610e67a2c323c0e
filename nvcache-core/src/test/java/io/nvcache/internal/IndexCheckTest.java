// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.DebugCheck;
import io.nvcache.Source;
import io.nvcache.TestHook;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.BlockWalk;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.memory.RawMemory;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Stray writes to the index are found, and take the cache out of service. */
final class IndexCheckTest {
  private static final int BLOCKS = 100;
  private static final int LENGTH = 4096;

  private final AtomicLong now = new AtomicLong();
  private Engine cache;
  private BlockIndex index;

  @BeforeEach
  void open() throws Exception {
    cache =
        (Engine)
            BlockCache.builder()
                .nativeMemory(1 << 20)
                .maxBlockBytes(LENGTH)
                .expectedBlockBytes(LENGTH)
                .admission(AdmissionPresets.admitAll())
                .eviction(FifoEviction::new)
                .testing(TestHook.debug(DebugCheck.CHECK_INDEX))
                // Of another seed, a flipped bit might make a key of the same bucket and file.
                .testing(TestHook.hashSeed(3))
                .testing(TestHook.nanoTime(now::get))
                .maintainedByCaller()
                .build();
    for (long i = 0; i < BLOCKS; i++) {
      cache.offer(1, i * LENGTH, ByteBuffer.allocate(LENGTH - 8), Source.READ);
    }
    Object stats = field(field(cache, "controls"), "stats");
    index = ((BlockTables) field(stats, "tables")).index();
  }

  private static Object field(Object owner, String name) throws ReflectiveOperationException {
    Field field = owner.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(owner);
  }

  @AfterEach
  void close() {
    // Not closed where its index was made to lie: that could free what is not there.
    if (cache.control().health().indexFaults() == 0) {
      cache.close();
    }
  }

  private int usedSlot(int skip) {
    for (int slot = 0, seen = 0; slot < index.slots(); slot++) {
      if (index.key(slot) != BucketLayout.EMPTY_KEY && seen++ == skip) {
        return slot;
      }
    }
    throw new AssertionError("fewer blocks than expected");
  }

  private void assertFound(long atLeast) {
    now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    cache.control().maintain();
    assertThat(cache.control().health().indexFaults()).isGreaterThanOrEqualTo(atLeast);
    assertThat(cache.control().health().inService()).isEqualTo(atLeast == 0);
    if (atLeast > 0) {
      assertThat(cache.control().health().reason()).contains("of the index are corrupt");
    }
  }

  private long restAddress(int slot) {
    return index.bucketOf(slot) + BucketLayout.FINGERPRINTS_OFFSET + 7L * BlockIndex.inBucket(slot);
  }

  private long locationAddress(int slot) {
    return index.bucketOf(slot) + BucketLayout.LOCATIONS_OFFSET + 4L * BlockIndex.inBucket(slot);
  }

  @Test
  void shouldFindNothingInASoundIndex() {
    assertFound(0);
  }

  @Test
  void shouldFindAFlippedBitInAKey() {
    flip(restAddress(usedSlot(3)), 20);
    assertFound(1);
  }

  @Test
  void shouldFindAFlippedBitInATag() {
    int slot = usedSlot(3);
    flip(
        index.bucketOf(slot) + BucketLayout.TAGS_OFFSET, Byte.SIZE * BlockIndex.inBucket(slot) + 5);
    assertFound(1);
  }

  private static void flip(long address, int bit) {
    RawMemory.putLong(address, RawMemory.getLong(address) ^ (1L << bit));
  }

  @Test
  void shouldFindALocationThatIsFree() {
    RawMemory.putInt(locationAddress(usedSlot(5)), (1 << 20) / 256 - 16);
    assertFound(1);
  }

  @Test
  void shouldFindALocationInsideASlot() {
    RawMemory.putInt(locationAddress(usedSlot(5)), (int) index.location(usedSlot(5)) + 1);
    assertFound(1);
  }

  @Test
  void shouldFindTwoBlocksInOnePlace() {
    RawMemory.putInt(locationAddress(usedSlot(7)), (int) index.location(usedSlot(8)));
    assertFound(1);
  }

  @Test
  void shouldFindABlockLongerThanItsSpace() {
    int slot = usedSlot(9);
    long slack = index.bucketOf(slot) + BucketLayout.SLACKS_OFFSET + 2L * BlockIndex.inBucket(slot);
    RawMemory.putShort(slack, (short) (LENGTH + 1));
    assertFound(1);
  }

  @Test
  void shouldEndAWalkOverAnEntryThatNamesNoPlace() {
    int before = walkOver();
    RawMemory.putInt(locationAddress(usedSlot(5)), -1);

    assertThat(walkOver()).isEqualTo(before - 1);
    assertFound(1);
  }

  private int walkOver() {
    int visited = 0;
    for (BlockWalk walk = cache.control().walk(); walk.next(); ) {
      visited++;
    }
    return visited;
  }

  @Test
  void shouldFindALineOfTheIndexThatWasOverwritten() {
    RawMemory.fill(index.bucketOf(usedSlot(11)) + BucketLayout.HASHES_OFFSET, 64, (byte) 0x5A);
    assertFound(8);
  }
}
