// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.Seeds;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.ByteBuffersDataOutput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.RandomAccessInput;
import org.apache.lucene.util.GroupVIntUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Blocks that are read where they lie, and may go at any moment. */
final class ReadsInPlaceTest {
  private static final int BLOCK_BYTES = 1 << 10;
  private static final int FILE_BYTES = 3 << 20;
  private static final int READERS = 2;
  private static final long SEED = 20261128;

  private LuceneCache cache = cacheOf(1 << 20);
  private NvCacheDirectory directory = new NvCacheDirectory(new ByteBuffersDirectory(), cache);

  private static LuceneCache cacheOf(long capacityBytes) {
    return LuceneCache.builder(TestCaches.blocks(BLOCK_BYTES, capacityBytes).build())
        .blockBytes(BLOCK_BYTES)
        .build();
  }

  @AfterEach
  void close() throws IOException {
    directory.close();
    TestCaches.close(cache);
  }

  private void write(String name, byte[] bytes) throws IOException {
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  /** The word at each offset names the file and the offset: a byte of another block shows. */
  private static byte[] words(int file) {
    byte[] bytes = new byte[FILE_BYTES];
    for (int at = 0; at < FILE_BYTES; at += Long.BYTES) {
      long word = word(file, at);
      for (int i = 0; i < Long.BYTES; i++) {
        bytes[at + i] = (byte) (word >>> (Byte.SIZE * i));
      }
    }
    return bytes;
  }

  private static long word(int file, long at) {
    return (at + 1) * 0x9e3779b97f4a7c15L + file;
  }

  /**
   * Readers of a file three times as long as the cache, while its namesakes come and go, and its
   * blocks are evicted and invalidated under them.
   */
  @Test
  @Timeout(120)
  void shouldReadTheRightBytesWhileBlocksComeAndGo() throws Exception {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    write("_0.doc", words(0));
    List<Thread> threads = new ArrayList<>();
    AtomicBoolean stop = new AtomicBoolean();
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      for (int i = 0; i < READERS; i++) {
        SplittableRandom random = new SplittableRandom(SEED + i);
        IndexInput clone = input.clone();
        threads.add(
            new Thread(
                () -> {
                  try {
                    for (int step = 0; step < 60_000 && failure.get() == null; step++) {
                      read(clone, random);
                    }
                  } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                  }
                }));
      }
      Thread changes =
          new Thread(
              () -> {
                SplittableRandom random = new SplittableRandom(SEED - 1);
                try {
                  while (!stop.get()) {
                    change(random);
                  }
                } catch (Throwable e) {
                  failure.compareAndSet(null, e);
                }
              });
      changes.start();
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      stop.set(true);
      changes.join();
    }
    assertThat(failure).as("seed %s", SEED).hasValue(null);
    assertThat(cache.countsByExtension().get("doc").hits()).isPositive();
    assertThat(cache.blocks().stats().pinnedBytes()).isZero();
  }

  private static void read(IndexInput input, SplittableRandom random) throws IOException {
    long at = random.nextLong(FILE_BYTES / Long.BYTES - 64) * Long.BYTES;
    switch (random.nextInt(4)) {
      case 0 -> check(((RandomAccessInput) input).readLong(at), at);
      case 1 -> {
        long[] words = new long[64];
        input.seek(at);
        input.readLongs(words, 0, words.length);
        for (int i = 0; i < words.length; i++) {
          check(words[i], at + (long) i * Long.BYTES);
        }
      }
      case 2 -> {
        int[] words = new int[128];
        input.seek(at);
        input.readInts(words, 0, words.length);
        for (int i = 0; i < words.length; i += 2) {
          check(
              Integer.toUnsignedLong(words[i]) | (long) words[i + 1] << Integer.SIZE,
              at + (long) i * Integer.BYTES);
        }
      }
      default -> {
        input.seek(at);
        for (int i = 0; i < 40; i++) {
          check(input.readLong(), at + (long) i * Long.BYTES);
        }
      }
    }
  }

  private static void check(long word, long at) {
    if (word != word(0, at)) {
      throw new AssertionError(Long.toHexString(word) + " at " + at);
    }
  }

  private void change(SplittableRandom random) throws IOException {
    String name = "_" + (1 + random.nextInt(3)) + ".doc";
    write(name, words(1 + random.nextInt(8)));
    try (IndexInput other = directory.openInput(name, IOContext.DEFAULT)) {
      long[] words = new long[BLOCK_BYTES / Long.BYTES];
      for (int i = 0; i < 200; i++) {
        other.seek(random.nextLong(FILE_BYTES / BLOCK_BYTES) * BLOCK_BYTES);
        other.readLongs(words, 0, words.length);
      }
    }
    for (long id = 1; id < 4; id++) {
      cache.blocks().invalidate(id, random.nextLong(FILE_BYTES / BLOCK_BYTES) * BLOCK_BYTES);
    }
    directory.deleteFile(name);
  }

  /** What an input is at is evicted, and overwritten by blocks of another file. */
  @Test
  void shouldBelieveNoByteOfABlockThatWasReplaced() throws IOException {
    write("_0.doc", words(0));
    write("_1.doc", words(1));
    try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT);
        IndexInput other = directory.openInput("_1.doc", IOContext.DEFAULT)) {
      for (int way = 0; way < 7; way++) {
        long block = 5L * way * BLOCK_BYTES;
        for (int time = 0; time < 2; time++) { // Missing, and then in place.
          IndexInput reader = input.clone();
          reader.seek(block + 8);
          check(reader.readLong(), block + 8);
          if (time == 1) {
            for (long id = 0; id < 100; id++) { // Whichever the file's is.
              cache.blocks().invalidate(id, block);
            }
            other.seek(8);
            other.readBytes(new byte[FILE_BYTES - 8], 0, FILE_BYTES - 8);
            readOn(reader, way, block + 16);
          }
        }
      }
    }
  }

  private static void readOn(IndexInput input, int way, long at) throws IOException {
    switch (way) {
      case 0 -> check(input.readLong(), at);
      case 1 -> {
        long[] words = new long[3];
        input.readLongs(words, 0, 3);
        check(words[2], at + 16);
      }
      case 2 -> {
        int[] words = new int[4];
        input.readInts(words, 0, 4);
        check(Integer.toUnsignedLong(words[2]) | (long) words[3] << Integer.SIZE, at + 8);
      }
      case 3 -> {
        byte[] bytes = new byte[8];
        input.readBytes(bytes, 0, 8);
        check(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(), at);
      }
      case 4 -> assertThat(input.readByte()).isEqualTo((byte) word(0, at));
      case 5 -> assertThat(input.readInt()).isEqualTo((int) word(0, at));
      default -> assertThat(input.readShort()).isEqualTo((short) word(0, at));
    }
  }

  @Test
  @Timeout(60)
  void shouldGoOnByTheDelegateWhereTheCacheIsClosedUnderItsReaders() throws Exception {
    for (int round = 0; round < 30; round++) {
      write("_0.doc", words(0));
      AtomicReference<Throwable> failure = new AtomicReference<>();
      AtomicBoolean stop = new AtomicBoolean();
      try (IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT)) {
        IndexInput clone = input.clone();
        SplittableRandom random = new SplittableRandom(SEED + round);
        Thread reader =
            new Thread(
                () -> {
                  try {
                    while (!stop.get()) {
                      read(clone, random);
                    }
                  } catch (Throwable e) {
                    failure.set(e);
                  }
                });
        reader.start();
        Thread.sleep(2);
        cache.close();
        Thread.sleep(1);
        stop.set(true);
        reader.join();
      }
      assertThat(failure).as("round %s", round).hasValue(null);
      directory.close();
      cache = cacheOf(1 << 20);
      directory = new NvCacheDirectory(new ByteBuffersDirectory(), cache);
    }
  }

  @Test
  void shouldReadNothingOfAnInputThatIsClosed() throws IOException {
    write("_0.doc", words(0));
    IndexInput input = directory.openInput("_0.doc", IOContext.DEFAULT);
    IndexInput clone = input.clone();
    read(input, new SplittableRandom(SEED));
    input.readByte();
    input.close();
    for (IndexInput closed : List.of(input, clone)) {
      org.assertj.core.api.Assertions.assertThatThrownBy(closed::readByte)
          .isInstanceOf(AlreadyClosedException.class);
    }
  }

  @Test
  void shouldReadGroupsOfNumbersAsLuceneDoes() {
    Seeds.each(
        20,
        random -> {
          try {
            readGroups(random);
          } catch (IOException e) {
            throw new AssertionError(e);
          }
        });
  }

  private void readGroups(Random random) throws IOException {
    int[] numbers = new int[4 * 500];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextInt() >>> random.nextInt(32);
    }
    ByteBuffersDataOutput bytes = new ByteBuffersDataOutput();
    GroupVIntUtil.writeGroupVInts(bytes, new byte[17], numbers, numbers.length);
    String name = "_" + Integer.toString(random.nextInt(1 << 20), 36) + ".doc";
    write(name, bytes.toArrayCopy());
    try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
      for (int time = 0; time < 3; time++) { // Missing, and then in place.
        int[] read = new int[numbers.length];
        input.seek(0);
        GroupVIntUtil.readGroupVInts(input, read, read.length);
        assertThat(read).isEqualTo(numbers);
        assertThat(input.getFilePointer()).isEqualTo(input.length());
      }
    }
    directory.deleteFile(name);
  }
}
