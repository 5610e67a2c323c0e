// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.nvcache.lucene.files.FileClasses;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.random.RandomGenerator;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

/** Of several rounds the least counts: what is allocated once is in one, and the rest in all. */
final class AllocationTest {
  private static final int BLOCK_BYTES = 16 << 10;
  private static final int BLOCKS = 64;
  private static final int ROUNDS = 6;
  private static final int READS = 20_000;

  /** Two hundred bytes in a round: what the JVM may do now and then on any thread. */
  private static final double NOISE = 0.01;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void shouldAllocateNothingInTheBlockThatIsPinned() throws IOException {
    // Lucene's buffer must not reach into the next block.
    assertThat(bytesARead(BLOCK_BYTES - BufferedIndexInput.BUFFER_SIZE)).isLessThan(NOISE);
  }

  @Test
  void shouldAllocateNothingOnAHitOfAnotherBlock() throws IOException {
    assertThat(bytesARead((long) BLOCKS * BLOCK_BYTES)).isLessThan(NOISE);
  }

  private static double bytesARead(long range) throws IOException {
    LuceneCache cache = TestCaches.empty(BLOCK_BYTES);
    try (NvCacheDirectory directory = new NvCacheDirectory(new ByteBuffersDirectory(), cache)) {
      try (IndexOutput out = directory.createOutput("file", IOContext.DEFAULT)) {
        out.writeBytes(new byte[BLOCKS * BLOCK_BYTES], BLOCKS * BLOCK_BYTES);
      }
      try (IndexInput input = directory.openInput("file", IOContext.DEFAULT)) {
        input.readBytes(new byte[BLOCKS * BLOCK_BYTES], 0, BLOCKS * BLOCK_BYTES);
        long misses = cache.countsByExtension().get(FileClasses.NO_EXTENSION).misses();
        double least = least(input, range);
        assertThat(cache.countsByExtension().get(FileClasses.NO_EXTENSION).misses())
            .as("misses during the hits")
            .isEqualTo(misses);
        return least;
      }
    } finally {
      TestCaches.close(cache);
    }
  }

  private static double least(IndexInput input, long range) throws IOException {
    RandomGenerator random = new java.util.SplittableRandom(20261123);
    long thread = Thread.currentThread().threadId();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long before = THREADS.getThreadAllocatedBytes(thread);
      for (int i = 0; i < READS; i++) {
        input.seek(random.nextLong(range));
        input.readByte();
      }
      least = Math.min(least, THREADS.getThreadAllocatedBytes(thread) - before);
    }
    return (double) least / READS;
  }
}
