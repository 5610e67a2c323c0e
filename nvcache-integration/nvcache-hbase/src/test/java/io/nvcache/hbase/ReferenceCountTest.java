// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.Checksum;
import io.nvcache.FileIdRegistry;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.blocks.ReadMode;
import io.nvcache.hbase.blocks.ThreadSource;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.ByteBuffAllocator;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.apache.hadoop.hbase.io.hfile.HFileContext;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.nio.ByteBuff;
import org.apache.hadoop.hbase.nio.RefCnt;
import org.apache.hbase.thirdparty.io.netty.util.ResourceLeakDetector;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Who reads a block in place holds it, whatever the cache does meanwhile, and gives it back by
 * releasing it. Asks of NVCache what HBase's TestBucketCacheRefCnt and the reference counts of
 * TestHFileScannerImplReferenceCount ask of BucketCache.
 */
class ReferenceCountTest {
  private static final int LENGTH = 2000;
  private static final HFileContext CONTEXT =
      new HFileContextBuilder().withHBaseCheckSum(false).build();

  private final BlockCache engine =
      BlockCache.builder()
          .nativeMemory(16 << 20)
          .maxBlockBytes(64 << 10)
          .admission(AdmissionPresets.admitAll())
          .build();
  private final NvHBaseBlockCache cache = new NvHBaseBlockCache(engine, new FileIdRegistry());

  @AfterEach
  void close() {
    cache.shutdown();
  }

  private static HFileBlock block(long seed) {
    ByteBuffer bytes = ByteBuffer.allocate(HConstants.HFILEBLOCK_HEADER_SIZE + LENGTH);
    new Random(seed).nextBytes(bytes.array());
    return new HFileBlock(
        BlockType.DATA,
        LENGTH,
        LENGTH,
        -1,
        ByteBuff.wrap(bytes),
        true,
        seed * 10_000,
        -1,
        HConstants.HFILEBLOCK_HEADER_SIZE + LENGTH,
        CONTEXT,
        ByteBuffAllocator.HEAP);
  }

  private static BlockCacheKey key(long seed) {
    return new BlockCacheKey("hfile", seed * 10_000);
  }

  private HFileBlock get(long seed) {
    try (ThreadSource scope = ThreadSource.enter(Source.READ)) {
      return (HFileBlock) cache.getBlock(key(seed), true, false, true);
    }
  }

  private static void assertSame(HFileBlock found, long seed) {
    ByteBuffer expected = ByteBuffer.allocate(block(seed).getSerializedLength());
    block(seed).serialize(expected, true);
    ByteBuffer actual = ByteBuffer.allocate(found.getSerializedLength());
    found.serialize(actual, true);
    assertThat(actual.array()).isEqualTo(expected.array());
  }

  @Test
  void shouldHandOutBlocksInPlaceAndTakeThemBack() {
    cache.cacheBlock(key(1), block(1));
    HFileBlock one = get(1);
    HFileBlock other = get(1);
    assertThat(one.isSharedMem()).isTrue();
    assertThat(one.refCnt()).isEqualTo(1);
    assertThat(engine.stats().pinnedBytes()).isPositive();
    assertSame(one, 1);
    one.release();
    assertSame(other, 1);
    assertThat(one.refCnt()).isZero();
    other.release();
    assertThat(engine.stats().pinnedBytes()).isZero();
  }

  /** HBase's reversed scans compare a row of a block that they have released. */
  @Test
  void shouldHandOutCopiesToAllButGets() throws Exception {
    cache.cacheBlock(key(1), block(1));
    try (ThreadSource scan = ThreadSource.enter(Source.SCAN)) {
      assertCopied();
    }
    CompletableFuture.runAsync(this::assertCopied).join();
    HFileBlock one = get(1);
    assertThat(one.isSharedMem()).isTrue();
    one.release();
  }

  private void assertCopied() {
    HFileBlock found = (HFileBlock) cache.getBlock(key(1), true, false, true);
    assertThat(found.isSharedMem()).isFalse();
    assertThat(engine.stats().pinnedBytes()).isZero();
    found.release();
    assertSame(found, 1);
  }

  @Test
  void shouldKeepABlockThatIsReadWhileItIsEvictedAndItsSpaceWanted() {
    cache.cacheBlock(key(1), block(1));
    HFileBlock held = get(1);
    assertThat(cache.evictBlock(key(1))).isTrue();
    assertThat(get(1)).isNull();
    for (long seed = 2; seed < 20_000; seed++) { // Several times what the cache holds.
      cache.cacheBlock(key(seed), block(seed));
    }
    assertSame(held, 1);
    held.release();
    assertThat(engine.stats().pinnedBytes()).isZero();
  }

  @Test
  void shouldKeepABlockThatIsReadWhileItsFileIsEvictedAndTheCacheShutDown() {
    cache.cacheBlock(key(1), block(1));
    HFileBlock held = get(1);
    assertThat(cache.evictBlocksByHfileName("hfile")).isEqualTo(1);
    cache.shutdown();
    assertSame(held, 1);
    held.release();
    assertThat(engine.stats().pinnedBytes()).isZero();
  }

  @Test
  void shouldShareTheCountAmongSlicesAndRetains() {
    cache.cacheBlock(key(1), block(1));
    HFileBlock held = get(1);
    held.retain();
    held.release();
    assertThat(engine.stats().pinnedBytes()).isPositive();
    ByteBuff slice = held.getBufferReadOnly();
    slice.retain();
    held.release();
    assertThat(engine.stats().pinnedBytes()).isPositive();
    slice.release();
    assertThat(engine.stats().pinnedBytes()).isZero();
  }

  @Test
  void shouldLeaveNothingToReleaseOfABlockThatIsNoHFileBlock() throws Exception {
    LongAdder leaks = new LongAdder();
    ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    RefCnt.detector.setLeakListener(
        (type, records) -> {
          if (records.contains(getClass().getName())) { // And not what another class leaked before.
            leaks.increment();
          }
        });
    try {
      cache.cacheBlock(key(1), new ForeignBlock("block"));
      for (int i = 0; i < 100; i++) {
        assertThat(cache.getBlock(key(1), true, false, true)).isEqualTo(new ForeignBlock("block"));
      }
      System.gc();
      Thread.sleep(100);
      RefCnt.create(() -> {}).release(); // The detector looks when it is asked to watch one more.
      assertThat(leaks.sum()).isZero();
      assertThat(engine.stats().pinnedBytes()).isZero();
    } finally {
      ResourceLeakDetector.setLevel(level);
      RefCnt.detector.setLeakListener(null);
    }
  }

  @Test
  void shouldCopyPastTheBoundOfPins() {
    BlockCache bounded =
        BlockCache.builder()
            .nativeMemory(16 << 20)
            .maxPinnedBytes(0)
            .admission(AdmissionPresets.admitAll())
            .build();
    NvHBaseBlockCache copying = new NvHBaseBlockCache(bounded, new FileIdRegistry());
    try {
      copying.cacheBlock(key(1), block(1));
      HFileBlock copy = (HFileBlock) copying.getBlock(key(1), true, false, true);
      assertThat(copy.isSharedMem()).isFalse();
      assertSame(copy, 1);
      assertThat(copying.getStats().getHitCount()).isEqualTo(1);
    } finally {
      copying.shutdown();
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldMissOnceAndDropABlockWhoseChecksumIsWrong(ReadMode mode) {
    FlippedMedium medium = new FlippedMedium(16 << 20);
    BlockCache engine =
        BlockCache.builder()
            .medium(medium)
            .checksum(Checksum.CRC32C)
            .admission(AdmissionPresets.admitAll())
            .build();
    NvHBaseBlockCache checked =
        new NvHBaseBlockCache(engine, new FileIdRegistry(), new BlockPayload(mode), () -> {});
    try {
      checked.cacheBlock(key(1), block(1));
      HFileBlock good = (HFileBlock) checked.getBlock(key(1), true, false, true);
      assertSame(good, 1);
      good.release();
      medium.flipNextWrite();
      checked.cacheBlock(key(2), block(2));
      assertThat(checked.getBlock(key(2), true, false, true)).isNull();
      assertThat(checked.corruptBlocks()).isEqualTo(1);
      assertThat(checked.getStats().getMissCount()).isEqualTo(1);
      assertThat(checked.evictBlock(key(2))).as("still there").isFalse();
      assertThat(engine.stats().pinnedBytes()).isZero();
    } finally {
      checked.shutdown();
    }
  }

  @Test
  void shouldServeTheRightBytesToReadersInPlaceWhileBlocksComeAndGo() throws Exception {
    int blocks = 64;
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      Future<?> churn =
          threads.submit(
              () -> {
                for (long i = 0; !done.get(); i++) {
                  long seed = i % blocks;
                  cache.cacheBlock(key(seed), block(seed));
                  if (i % 7 == 0) {
                    cache.evictBlock(key((i * 31) % blocks));
                  }
                  if (i % 501 == 0) {
                    cache.evictBlocksByHfileName("hfile");
                  }
                }
              });
      List<Callable<Integer>> readers = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        Random random = new Random(thread);
        readers.add(
            () -> {
              int found = 0;
              // The one who fills may start late.
              for (int i = 0; i < 20_000 || found == 0; i++) {
                long seed = random.nextInt(blocks);
                HFileBlock block = get(seed);
                if (block != null) {
                  assertSame(block, seed);
                  block.release();
                  found++;
                }
              }
              return found;
            });
      }
      for (Future<Integer> found : threads.invokeAll(readers)) {
        assertThat(found.get()).isPositive();
      }
      done.set(true);
      churn.get();
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
    assertThat(engine.stats().pinnedBytes()).isZero();
  }
}
