// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.internal.index.BlockIndex.Insertion;
import io.nvcache.memory.RawMemory;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

final class BlockIndexTest {
  private static final BlockIndex.SlotListener DEAF =
      new BlockIndex.SlotListener() {
        @Override
        public void inserted(int slot) {}

        @Override
        public void removed(int slot, long key) {}
      };

  private record Entry(long location, int slack) {}

  /** A version comes again after 2^31 changes; who took one has heard of it by then. */
  @Test
  void shouldEndAnEpochBeforeAVersionComesAgain() {
    long key = BucketLayout.key(1, 4096);
    try (BlockIndex index = new BlockIndex(64, 5)) {
      long bucket = index.firstBucket(index.hash(key));
      int version = Bucket.versionAcquire(bucket);
      for (int quarter = 0; quarter < 4; quarter++) {
        int epoch = index.lifetime().epoch();
        RawMemory.putInt(bucket, version + quarter * (1 << 30) + (1 << 30) - 4);
        assertThat(index.insert(key, 9, 0, DEAF)).isEqualTo(Insertion.DONE);
        assertThat(index.lifetime().epoch()).isEqualTo(epoch);
        index.remove(key, (k, l) -> true, DEAF);
        assertThat(index.lifetime().epoch()).as("quarter %s", quarter).isEqualTo(epoch + 1);
      }
      assertThat(Bucket.versionAcquire(bucket)).as("once round").isEqualTo(version);
    }
  }

  @Test
  void shouldAgreeWithAMapUpToItsLoad() {
    long seed = 3;
    SplittableRandom random = new SplittableRandom(seed);
    Map<Long, Entry> model = new HashMap<>();
    try (BlockIndex index = new BlockIndex(4096, seed)) {
      int full = 0;
      for (int i = 0; i < 300_000; i++) {
        long key = BucketLayout.key(1 + random.nextInt(3), random.nextLong(2000) << 12);
        if (random.nextInt(100) < 60) {
          Entry entry = new Entry(random.nextLong(1L << 32), random.nextInt(1 << 16));
          Insertion result = index.insert(key, entry.location, entry.slack, DEAF);
          if (result == Insertion.FULL) {
            full++;
          } else {
            assertThat(result == Insertion.DONE)
                .as("step %d, seed %d", i, seed)
                .isEqualTo(!model.containsKey(key));
            model.putIfAbsent(key, entry);
          }
        } else {
          long place = index.remove(key, (k, l) -> true, DEAF);
          Entry known = model.remove(key);
          assertThat(place != BlockIndex.NOT_REMOVED).isEqualTo(known != null);
          if (known != null) {
            assertThat(BlockIndex.locationOf(place)).isEqualTo(known.location);
            assertThat(BlockIndex.slackOf(place)).isEqualTo(known.slack);
          }
        }
        assertFinds(index, key, model.get(key));
      }
      assertThat(full).as("both buckets full below the load").isLessThan(30_000);
      model.forEach((key, entry) -> assertFinds(index, key, entry));
    }
  }

  private static void assertFinds(BlockIndex index, long key, Entry expected) {
    long found = index.find(key);
    long h = index.hash(key);
    long first = index.firstBucket(h);
    if (Bucket.find(first, h) < 0) {
      assertThat(index.findBeyond(first, Bucket.versionAcquire(first), h)).isEqualTo(found);
    }
    if (expected == null) {
      assertThat(found).isEqualTo(BlockIndex.NOT_FOUND);
      return;
    }
    int slot = BlockIndex.slot(found);
    assertThat(slot).isBetween(0, index.slots() - 1);
    assertThat(index.location(slot)).isEqualTo(expected.location);
    assertThat(index.slack(slot)).isEqualTo(expected.slack);
    assertThat(index.key(slot)).isEqualTo(key);
    assertThat(isUnchanged(index, found)).isTrue();
  }

  @Test
  void shouldSearchAgainForWhoSawABucketThatWasLockedOrHasChanged() {
    try (BlockIndex index = new BlockIndex(64, 1)) {
      long key = BucketLayout.key(1, 0);
      long h = index.hash(key);
      long first = index.firstBucket(h);
      int version = Bucket.versionAcquire(first);
      index.insert(key, 77, 5, DEAF);
      long found = index.find(key);
      assertThat(BlockIndex.slot(found)).isNotNegative();

      assertThat(index.findBeyond(first, version, h)).isEqualTo(found);
      assertThat(index.findBeyond(first, version + 1, h)).isEqualTo(found);
      Bucket.lock(first);
      assertThat(index.findBeyond(first, Bucket.versionAcquire(first), h))
          .isEqualTo(BlockIndex.BUSY);
      Bucket.unlockUnchanged(first);
    }
  }

  /** Of the same entry, at the same place, with the same sum, and not while a writer is inside. */
  @Test
  void shouldNoteThatABlockWasVerifiedWhereItLies() {
    try (BlockIndex index = BlockIndex.ofVerified(64, 1)) {
      long h = index.hash(BucketLayout.key(1, 0));
      index.insertHash(h, 77, 5, 0xCAFE_F00D, DEAF);
      int slot = BlockIndex.slot(index.findHash(h));
      int sum = index.sum(slot);
      assertThat(BlockIndex.isVerified(sum)).as("whatever its lowest bit was").isFalse();
      assertThat(BlockIndex.isSum(sum, 0xCAFE_F00D)).isTrue();
      assertThat(BlockIndex.isSum(sum, 0xCAFE_F00F)).isFalse();
      int version = Bucket.versionAcquire(index.bucketOf(slot));

      index.verified(slot, h + 1, 77, sum);
      index.verified(slot, h, 78, sum);
      index.verified(slot, h, 77, sum ^ 2);
      Bucket.lock(index.bucketOf(slot));
      index.verified(slot, h, 77, sum);
      Bucket.unlockUnchanged(index.bucketOf(slot));
      assertThat(index.sum(slot)).isEqualTo(sum);

      index.verified(slot, h, 77, sum);
      assertThat(BlockIndex.isVerified(index.sum(slot))).isTrue();
      assertThat(BlockIndex.isSum(index.sum(slot), 0xCAFE_F00D)).isTrue();
      assertThat(Bucket.isUnchanged(index.bucketOf(slot), version)).as("to readers").isTrue();

      assertThat(index.relocate(slot, h, 77, 78)).isTrue();
      assertThat(index.sum(slot)).as("it was written again").isEqualTo(sum);
    }
  }

  @Test
  void shouldHoldNearlyAllKeysAtItsDesignLoad() {
    try (BlockIndex index = new BlockIndex(100_000, 5)) {
      int entries = index.slots() * 85 / 100;
      int lost = 0;
      for (int i = 0; i < entries; i++) {
        if (index.insert(BucketLayout.key(1, (long) i << 14), i, 0, DEAF) == Insertion.FULL) {
          lost++;
        }
      }
      assertThat((double) lost / entries).isLessThan(0.04);
      assertThat((double) index.metadataBytes() / (entries - lost)).isLessThan(19.5);
    }
  }

  @Test
  void shouldOutdateWhatWasFoundWhenTheEntryGoes() {
    try (BlockIndex index = new BlockIndex(64, 1)) {
      long key = BucketLayout.key(1, 0);
      index.insert(key, 77, 5, DEAF);
      long found = index.find(key);
      assertThat(isUnchanged(index, found)).isTrue();

      index.remove(key, (k, location) -> location == 77, DEAF);

      assertThat(isUnchanged(index, found)).isFalse();
      index.insert(key, 77, 5, DEAF);
      assertThat(isUnchanged(index, found)).as("the same bytes again are another entry").isFalse();
    }
  }

  @Test
  void shouldKeepWhatTheRemovalRefuses() {
    try (BlockIndex index = new BlockIndex(64, 1)) {
      long key = BucketLayout.key(1, 0);
      index.insert(key, 1, 0, DEAF);
      long found = index.find(key);
      int slot = BlockIndex.slot(found);

      assertThat(index.remove(key, (k, l) -> false, DEAF)).isEqualTo(BlockIndex.NOT_REMOVED);
      assertThat(index.removeSlot(slot, (k, l) -> false, DEAF)).isEqualTo(BlockIndex.NOT_REMOVED);

      assertThat(isUnchanged(index, found)).isTrue();
    }
  }

  /** An error that a listener or a removal throws inside the lock. */
  private static StackOverflowError injected() {
    return new StackOverflowError("injected");
  }

  private static final BlockIndex.SlotListener BROKEN =
      new BlockIndex.SlotListener() {
        @Override
        public void inserted(int slot) {
          throw injected();
        }

        @Override
        public void removed(int slot, long key) {
          throw injected();
        }
      };

  private static final BlockIndex.Removal BROKEN_REMOVAL =
      (key, location) -> {
        throw injected();
      };

  @Test
  void shouldUnlockItsBucketsWhateverIsThrownInside() {
    // Two buckets, which are both of every key: with one of them full, an insert locks both.
    try (BlockIndex index = new BlockIndex(2 * BucketLayout.SLOTS, 1)) {
      int inserted = 0;
      for (long i = 0; i < index.slots(); i++) {
        long key = BucketLayout.key(1, i << 12);
        assertInjected(() -> index.insert(key, 1, 0, BROKEN));
        assertThat(index.find(key)).as("neither there nor locked").isEqualTo(BlockIndex.NOT_FOUND);
        assertThat(index.insert(key, i, 0, DEAF)).isEqualTo(Insertion.DONE);
        int slot = BlockIndex.slot(index.find(key));
        inserted++;
        assertInjected(() -> index.remove(key, BROKEN_REMOVAL, DEAF));
        assertInjected(() -> index.removeSlot(slot, BROKEN_REMOVAL, DEAF));
        assertThat(BlockIndex.slot(index.find(key))).isEqualTo(slot);
      }
      assertThat(inserted).isEqualTo(2 * BucketLayout.SLOTS);
      for (int slot = 0; slot < index.slots(); slot++) {
        long key = index.key(slot);
        int at = slot;
        assertInjected(() -> index.removeSlot(at, (k, l) -> true, BROKEN));
        assertThat(index.find(key)).isEqualTo(BlockIndex.NOT_FOUND);
        index.insert(key, 1, 0, DEAF);
        assertThat(BlockIndex.slot(index.find(key))).isEqualTo(slot);
      }
    }
  }

  private static void assertInjected(ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(StackOverflowError.class).hasMessage("injected");
  }

  @Test
  void shouldOfferEachSlotThatAKeyMayLieInAsACandidate() {
    try (BlockIndex index = new BlockIndex(1 << 12, 9)) {
      long key = BucketLayout.key(2, 1 << 20);
      index.insert(key, 1, 0, DEAF);
      int slot = BlockIndex.slot(index.find(key));
      long h = index.hash(key);
      assertThat(java.util.stream.IntStream.range(0, 16).map(t -> index.candidateSlot(h, t)))
          .doesNotHaveDuplicates()
          .contains(slot);
    }
  }

  @Test
  void shouldKeepMarksApartFromTheirNeighbours() {
    try (BlockIndex index = new BlockIndex(64, 1)) {
      for (int slot = 0; slot < index.slots(); slot++) {
        index.marks().set(slot, slot * 37);
      }
      for (int slot = 0; slot < index.slots(); slot++) {
        assertThat(index.marks().get(slot)).isEqualTo(slot * 37 & 0xFF);
        assertThat(index.key(slot)).isEqualTo(BucketLayout.EMPTY_KEY);
      }
    }
  }

  private static boolean isUnchanged(BlockIndex index, long found) {
    return Bucket.isUnchanged(index.bucketOf(BlockIndex.slot(found)), BlockIndex.version(found));
  }
}
