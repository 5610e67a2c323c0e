// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.TestHook;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * The cache, for Lincheck: three blocks of two files. Each offer brings other bytes, so that what
 * is read tells which offer it is from; half of two offers is {@link #TORN}.
 */
@Param(name = "block", gen = IntGen.class, conf = "0:2")
@Param(name = "value", gen = IntGen.class, conf = "1:100")
public class CacheCalls {
  static final int MISS = BlockCache.MISS;
  static final int TORN = -2;

  private static final int LENGTH = 64;

  private final BlockCache cache =
      BlockCache.builder()
          .nativeMemory(64 << 10)
          .expectedBlockBytes(1024)
          .maxBlockBytes(4096)
          .testing(TestHook.hashSeed(1))
          .maxPinnedBytes(Long.MAX_VALUE)
          .admission(AdmissionPresets.admitAll())
          .eviction(FifoEviction::new)
          .maintainedByCaller()
          .build();

  static int file(int block) {
    return block / 2;
  }

  private static long offset(int block) {
    return block * 4096L;
  }

  @Operation
  public int get(@Param(name = "block") int block) {
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    int length = cache.get(file(block), offset(block), dst);
    return length == BlockCache.MISS ? MISS : value(dst.flip());
  }

  private static int value(ByteBuffer bytes) {
    int first = bytes.get(0);
    return bytes.equals(bytes(first)) ? first : TORN;
  }

  private static ByteBuffer bytes(int value) {
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, (byte) value);
    return ByteBuffer.wrap(bytes);
  }

  /** Reads twice under one pin: the bytes must stay. */
  @Operation
  public int pin(@Param(name = "block") int block) {
    try (PinnedBlock pin = cache.pin(file(block), offset(block))) {
      if (pin == null) {
        return MISS;
      }
      ByteBuffer first = ByteBuffer.allocate(LENGTH);
      ByteBuffer second = ByteBuffer.allocate(LENGTH);
      pin.copyTo(first);
      pin.copyTo(second);
      return first.flip().equals(second.flip()) ? value(first) : TORN;
    }
  }

  @Operation
  public OfferResult offer(@Param(name = "block") int block, @Param(name = "value") int value) {
    return cache.offer(file(block), offset(block), bytes(value), Source.READ);
  }

  @Operation
  public boolean invalidate(@Param(name = "block") int block) {
    return cache.invalidate(file(block), offset(block));
  }

  @Operation
  public boolean invalidateFile(@Param(gen = IntGen.class, conf = "0:1") int file) {
    cache.invalidateFile(file);
    return true;
  }

  /** Reclaims the space of files that are gone. */
  @Operation(nonParallelGroup = "caller")
  public boolean maintain() {
    cache.control().maintain();
    return true;
  }

  boolean closeCache() {
    cache.close();
    return true;
  }

  @Validate
  public void end() {
    cache.close();
  }

  /** With closing among the calls. */
  public static class Shutdown extends CacheCalls {
    @Operation
    public boolean close() {
      return closeCache();
    }
  }
}
