// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.BlockCursor;
import io.nvcache.Checksum;
import io.nvcache.FileView;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class BlockCursorTest {
  private static final int LENGTH = 4096;
  private static final int FITTING = 64;
  private static final long FILE = 7;
  private static final long SEED = 20261128;

  private BlockCache cache = create(Checksum.NONE);

  private static BlockCache create(Checksum checksum) {
    return BlockCache.builder()
        .nativeMemory((long) FITTING * LENGTH)
        .maxBlockBytes(LENGTH)
        .expectedBlockBytes(LENGTH)
        .checksum(checksum)
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller()
        .build();
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private static FileView view(BlockCache cache, long file, long blocks) {
    return Objects.requireNonNull(cache.view(file, LENGTH, blocks * LENGTH));
  }

  /** All words are the same, so that a read of two blocks shows. */
  private static ByteBuffer block(long word) {
    ByteBuffer block = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    while (block.hasRemaining()) {
      block.putLong(word);
    }
    return block.flip();
  }

  private void offer(long file, long number, long word) {
    cache.offer(file, number * LENGTH, block(word), Source.READ);
  }

  @Test
  void shouldReadNumbersWhereTheyLie() {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
    new java.util.Random(SEED).nextBytes(bytes.array());
    cache.offer(FILE, 0, bytes, Source.READ);
    BlockCursor cursor = view(cache, FILE, 1).cursor();
    assertThat(cursor.isThere()).as("before it moved").isFalse();
    assertThat(cursor.moveTo(0)).isEqualTo(LENGTH);

    for (int at : new int[] {0, 1, 7, LENGTH - 8}) {
      assertThat(cursor.getByte(at)).isEqualTo(bytes.get(at));
      assertThat(cursor.getShort(at)).isEqualTo(bytes.getShort(at));
      assertThat(cursor.getInt(at)).isEqualTo(bytes.getInt(at));
      assertThat(cursor.getLong(at)).isEqualTo(bytes.getLong(at));
    }
    byte[] some = new byte[9];
    int[] ints = new int[5];
    long[] longs = new long[5];
    float[] floats = new float[5];
    cursor.get(3, some, 1, 7);
    cursor.get(3, ints, 1, 3);
    cursor.get(3, longs, 1, 3);
    cursor.get(3, floats, 1, 3);
    for (int i = 0; i < 7; i++) {
      assertThat(some[i + 1]).isEqualTo(bytes.get(3 + i));
    }
    for (int i = 0; i < 3; i++) {
      assertThat(ints[i + 1]).isEqualTo(bytes.getInt(3 + 4 * i));
      assertThat(longs[i + 1]).isEqualTo(bytes.getLong(3 + 8 * i));
      assertThat(Float.floatToRawIntBits(floats[i + 1])).isEqualTo(bytes.getInt(3 + 4 * i));
    }
    assertThat(some[0] + some[8] + ints[0] + ints[4] + longs[0] + longs[4]).isZero();
    assertThat(cursor.isThere()).isTrue();
  }

  @Test
  void shouldReadNothingOutside() {
    offer(FILE, 0, 1);
    BlockCursor cursor = view(cache, FILE, 2).cursor();
    assertThatThrownBy(() -> cursor.getByte(0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(cursor.moveTo(0)).isEqualTo(LENGTH);
    assertThatThrownBy(() -> cursor.getByte(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.getByte(LENGTH)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.getLong(LENGTH - 7))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.get(1, new byte[LENGTH], 0, LENGTH))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.get(0, new int[4], 2, 3))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.get(0, new long[1 << 20], 0, 1 << 20))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> cursor.moveTo(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(cursor.moveTo(LENGTH)).isEqualTo(BlockCache.MISS);
    assertThat(cursor.isThere()).isFalse();
    assertThatThrownBy(() -> cursor.getByte(0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void shouldCountEachBlockThatItMovesToOnce() {
    offer(FILE, 0, 1);
    offer(FILE, 1, 2);
    BlockCursor cursor = view(cache, FILE, 3).cursor();
    for (int i = 0; i < 3; i++) {
      assertThat(cursor.moveTo(0)).isEqualTo(LENGTH);
      assertThat(cursor.moveTo(0)).isEqualTo(LENGTH);
      assertThat(cursor.moveTo(LENGTH)).isEqualTo(LENGTH);
    }
    assertThat(cache.stats().hits()).isEqualTo(6);
    assertThat(cursor.moveTo(2 * LENGTH)).isEqualTo(BlockCache.MISS);
    assertThat(cache.stats().misses()).isEqualTo(1);
    assertThat(cache.stats().lookups()).isEqualTo(7);
  }

  @Test
  void shouldSeeThatItsBlockWent() {
    offer(FILE, 0, 1);
    BlockCursor cursor = view(cache, FILE, 1).cursor();
    assertThat(cursor.moveTo(0)).isEqualTo(LENGTH);

    cache.invalidate(FILE, 0);

    assertThat(cursor.isThere()).isFalse();
    assertThat(cursor.moveTo(0)).isEqualTo(BlockCache.MISS);
    offer(FILE, 0, 2);
    assertThat(cursor.moveTo(0)).isEqualTo(LENGTH);
    assertThat(cursor.getLong(8)).isEqualTo(2);
    assertThat(cursor.isThere()).isTrue();
  }

  /** The blocks stay in the index until they are reclaimed, at the places that were noted. */
  @Test
  void shouldFindNothingOfAFileThatWasForgotten() {
    offer(FILE, 0, 1);
    offer(FILE, 1, 1);
    FileView view = view(cache, FILE, 2);
    BlockCursor cursor = view.cursor();
    assertThat(cursor.moveTo(0)).isEqualTo(LENGTH);
    assertThat(cursor.moveTo(LENGTH)).isEqualTo(LENGTH);

    cache.invalidateFile(FILE);
    offer(FILE, 1, 2);

    assertThat(cursor.moveTo(0)).isEqualTo(BlockCache.MISS);
    assertThat(cursor.moveTo(LENGTH)).isEqualTo(LENGTH);
    assertThat(cursor.getLong(0)).isEqualTo(2);
    assertThat(cursor.moveTo(0)).as("by the page of the new number").isEqualTo(BlockCache.MISS);
  }

  @Test
  void shouldGoOnReadingMemoryOfACacheThatIsClosed() {
    cache.close();
    cache = // So large that the system takes its memory back at once, and a read ends the JVM.
        BlockCache.builder()
            .nativeMemory(64 << 20)
            .maxBlockBytes(LENGTH)
            .expectedBlockBytes(512)
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build();
    offer(FILE, 0, 1);
    FileView view = view(cache, FILE, 1);
    BlockCursor cursor = view.cursor();
    assertThat(cursor.moveTo(0)).isEqualTo(LENGTH);

    cache.close();

    for (int i = 0; i < 1000; i++) {
      cursor.getLong(0); // Of memory that is still there.
      assertThat(cursor.isThere()).isFalse();
    }
    assertThat(cursor.moveTo(0)).isEqualTo(BlockCache.MISS);
    assertThat(view.cursor().moveTo(0)).isEqualTo(BlockCache.MISS);
    assertThat(cache.view(FILE, LENGTH, LENGTH)).isNull();
    view.close();
  }

  @Test
  void shouldGiveNoViewWhereBlocksHaveChecksums() {
    try (BlockCache summed = create(Checksum.CRC32C)) {
      assertThat(summed.view(FILE, LENGTH, LENGTH)).isNull();
    }
    assertThatThrownBy(() -> cache.view(FILE, 0, LENGTH))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cache.view(FILE, LENGTH, -1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldFindBlocksThatNoPlaceIsNotedFor() {
    offer(FILE, 0, 1);
    offer(FILE, 3, 4);
    FileView view = view(cache, FILE, 1); // Shorter than it is.
    BlockCursor cursor = view.cursor();
    for (int i = 0; i < 3; i++) {
      assertThat(cursor.moveTo(3 * LENGTH)).isEqualTo(LENGTH);
      assertThat(cursor.getLong(0)).isEqualTo(4);
      assertThat(cursor.moveTo(0)).isEqualTo(LENGTH);
      assertThat(cursor.getLong(0)).isEqualTo(1);
      view.close();
    }
    assertThat(cursor.moveTo(5)).isEqualTo(BlockCache.MISS);
  }

  /**
   * Readers go through few blocks while others are evicted, invalidated, and their files forgotten;
   * each block of a file has its own words, and each incarnation of a file another id.
   */
  @Test
  @Timeout(120)
  void shouldBelieveNoByteOfAnotherBlock() throws InterruptedException {
    AtomicLong reads = new AtomicLong();
    AtomicLong gone = new AtomicLong();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    AtomicLong newest = new AtomicLong(1);
    AtomicReference<FileView> shared = new AtomicReference<>(view(cache, 1, 2 * FITTING));
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      SplittableRandom random = new SplittableRandom(SEED + i);
      boolean changes = i == 2;
      threads.add(
          new Thread(
              () -> {
                try {
                  for (int step = 0; step < 150_000 && failure.get() == null; step++) {
                    if (changes) {
                      change(random, newest, shared);
                    } else {
                      read(random, newest.get(), shared.get(), reads, gone);
                    }
                  }
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failure).as("seed %s", SEED).hasValue(null);
    assertThat(reads.get()).as("reads that were believed").isPositive();
    assertThat(gone.get()).as("blocks that went while they were read").isPositive();
  }

  private void change(
      SplittableRandom random, AtomicLong newest, AtomicReference<FileView> shared) {
    long file = newest.get();
    long number = random.nextLong(2 * FITTING);
    switch (random.nextInt(400)) {
      case 0 -> {
        cache.invalidateFile(file);
        newest.set(file + 1);
        shared.set(view(cache, file + 1, 2 * FITTING));
        cache.control().maintain();
      }
      case 1, 2, 3, 4 -> cache.invalidate(file, number * LENGTH);
      default -> offer(file, number, file << 32 | number);
    }
  }

  private void read(
      SplittableRandom random, long file, FileView view, AtomicLong reads, AtomicLong gone) {
    BlockCursor cursor = view.cursor();
    long number = random.nextLong(2 * FITTING);
    if (cursor.moveTo(number * LENGTH) != LENGTH) {
      return;
    }
    long[] words = new long[LENGTH / Long.BYTES];
    for (int i = 0; i < 16; i++) {
      cursor.get(0, words, 0, words.length);
      long single = cursor.getLong(8 * random.nextInt(words.length));
      if (!cursor.isThere()) {
        gone.incrementAndGet();
        return;
      }
      reads.incrementAndGet();
      if ((words[0] & 0xffff_ffffL) != number || single != words[0]) {
        throw new AssertionError(single + ", " + words[0] + " of block " + number);
      }
      for (long word : words) {
        if (word != words[0]) {
          throw new AssertionError(word + " in " + words[0] + " of file " + file);
        }
      }
    }
  }

  @Test
  void shouldBoundThePlacesThatAreNoted() {
    PlacePages pages = new PlacePages(1);
    List<FileInPlace> files = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      FileInPlace file = new FileInPlace(null, null, pages, new Object(), i, LENGTH, 512L * LENGTH);
      files.add(file);
      file.note(LENGTH, 1, 1, 5);
      assertThat(file.place(LENGTH, 1, 1)).isEqualTo(5);
      assertThat(file.place(LENGTH, 2, 1)).as("of another number").isEqualTo(FileInPlace.NONE);
      assertThat(file.place(LENGTH, 1, 2)).as("of another epoch").isEqualTo(FileInPlace.NONE);
      assertThat(pages.places()).isLessThanOrEqualTo(1 << 14);
    }
    assertThat(files.get(0).place(LENGTH, 1, 1)).as("noted first").isEqualTo(FileInPlace.NONE);
    assertThat(files.get(99).place(LENGTH, 1, 1)).isEqualTo(5);
    files.get(99).note(2 * LENGTH, 1, 2, 6);
    assertThat(files.get(99).place(LENGTH, 1, 2)).as("of a new page").isEqualTo(FileInPlace.NONE);
    files.forEach(FileView::close);
    assertThat(pages.places()).isZero();
  }
}
