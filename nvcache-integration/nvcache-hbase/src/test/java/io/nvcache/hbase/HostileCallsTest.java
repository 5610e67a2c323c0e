// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.BlockType;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.CacheableDeserializer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Odd keys and blocks that lie, before and after the shutdown: no call throws, no block is mixed
 * up.
 */
class HostileCallsTest {
  private static final int CALLS = 20_000;
  private static final int SHUTDOWN_AT = 15_000;
  private static final long[] OFFSETS = {
    0, 1, 4096, 8192, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40, (1L << 40) - 1
  };
  private static final String[] NAMES = {"a", "b", "", "../a", "a,b=*\n", "\0"};
  private static final int[] LENGTHS = {-1, 0, 1, 9, 11, 1 << 20, Integer.MAX_VALUE};

  /** Says another length than it has, if any, and writes as much as it likes. */
  private record Lying(int saidBytes, int bytes) implements Cacheable {
    @Override
    public int getSerializedLength() {
      return saidBytes;
    }

    @Override
    public void serialize(ByteBuffer destination, boolean includeNextBlockMetadata) {
      destination.put(new byte[bytes]);
    }

    @Override
    public CacheableDeserializer<Cacheable> getDeserializer() {
      return new ForeignBlock("").getDeserializer();
    }

    @Override
    public BlockType getBlockType() {
      return bytes % 2 == 0 ? BlockType.DATA : BlockType.LEAF_INDEX;
    }

    @Override
    public long heapSize() {
      return saidBytes;
    }
  }

  private static String textOf(BlockCacheKey key) {
    return "block of " + key.getHfileName() + " at " + key.getOffset();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void shouldAnswerEachCall(long seed) {
    Random random = new Random(seed);
    BlockCache engine =
        BlockCache.builder()
            .nativeMemory(8 << 20)
            .maxBlockBytes(64 << 10)
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build();
    NvHBaseBlockCache cache = new NvHBaseBlockCache(engine, new FileIdRegistry());
    int hits = 0;
    for (int call = 0; call < CALLS; call++) {
      if (call == SHUTDOWN_AT) {
        cache.shutdown();
      }
      String name = NAMES[random.nextInt(NAMES.length)];
      long offset = OFFSETS[random.nextInt(OFFSETS.length)];
      BlockCacheKey key = new BlockCacheKey(name, offset);
      switch (random.nextInt(10)) {
        case 0 -> {
          // Under a key of its own, so that what it wrote is not looked for below.
          BlockCacheKey liars = new BlockCacheKey("liar", Math.abs(offset >> 1));
          int said = LENGTHS[random.nextInt(LENGTHS.length)];
          cache.cacheBlock(liars, new Lying(said, random.nextInt(12)));
          cache.getBlock(liars, true, random.nextBoolean(), true);
        }
        case 1 -> {
          if (offset >= 0) { // No file has others, and the engine refuses them.
            cache.cacheBlock(key, ForeignBlock.failing());
          }
        }
        case 2, 3 -> {
          if (offset >= 0) {
            cache.cacheBlock(key, new ForeignBlock(textOf(key)));
          }
        }
        case 4 -> cache.evictBlocksByHfileName(name);
        case 5 -> cache.evictBlocksRangeByHfileName(name, offset, -offset);
        case 6 -> {
          cache.registerFile(name, Math.abs(offset >> 1));
          cache.unregisterFile(name);
          cache.unregisterFile(name);
        }
        case 7 -> {
          assertThat(cache.getFreeSize() + cache.getCurrentSize()).isEqualTo(cache.getMaxSize());
          assertThat(cache.getBlockCount()).isNotNegative();
          assertThat(cache.getDataBlockCount()).isNotNegative();
          cache.iterator().forEachRemaining(block -> assertThat(block.getSize()).isNotNegative());
        }
        default -> {
          if (offset >= 0) {
            Cacheable block = cache.getBlock(key, true, random.nextBoolean(), true);
            if (block != null) {
              hits++;
              assertThat(block).isEqualTo(new ForeignBlock(textOf(key)));
              assertThat(call).isLessThan(SHUTDOWN_AT);
            }
          }
        }
      }
    }
    cache.shutdown();
    assertThat(hits).isPositive();
    assertThat(engine.stats().pinnedBytes()).isZero();
    assertThat(engine.stats().mediumFailures()).isZero();
  }
}
