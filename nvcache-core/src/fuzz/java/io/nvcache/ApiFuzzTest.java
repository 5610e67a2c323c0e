// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.admission.AdmitAll;
import io.nvcache.eviction.FifoEviction;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Calls that the fuzzer makes up, of the cache and of the naive model beside it: the same answers
 * and the same exceptions, as long as there is room. One cache serves many runs, each with files of
 * its own, since a new one each time would be most of the work.
 */
final class ApiFuzzTest {
  private static final int MAX_LENGTH = 4096;
  private static final int FILES = 4;

  /** Room for all blocks of a run, and no more: each run ends with a walk over the whole index. */
  private static final int CAPACITY_BYTES = 1 << 20;

  /** What blocks are cut from: made once, for each byte set in a loop would be traced. */
  private static final byte[] BYTES = new byte[256 + MAX_LENGTH + 1];

  static {
    new SplittableRandom(42).nextBytes(BYTES);
  }

  private static final AtomicLong RUNS = new AtomicLong();

  /** How many calls were made and compared, over all runs. */
  static final AtomicLong CALLS = new AtomicLong();

  private static final BlockCache REAL =
      BlockCache.builder()
          .nativeMemory(CAPACITY_BYTES)
          .maxBlockBytes(MAX_LENGTH)
          .expectedBlockBytes(MAX_LENGTH)
          .checksum(Checksum.CRC32C)
          .maxPinnedBytes(Long.MAX_VALUE)
          .admission(AdmissionPresets.admitAll())
          .eviction(FifoEviction::new)
          .maintainedByCaller()
          .build();

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void calls(FuzzedDataProvider data) {
    long firstFile = RUNS.incrementAndGet() * FILES;
    BlockCache model = new ReferenceBlockCache(CAPACITY_BYTES, Long.MAX_VALUE, new AdmitAll());
    try {
      for (int call = 0; call < 64 && data.remainingBytes() > 0; call++) {
        long file = firstFile + data.consumeInt(0, FILES - 1);
        long offset = data.consumeBoolean() ? data.consumeLong() : data.consumeByte() * 512L;
        int kind = data.consumeInt(0, 7);
        int size = data.consumeInt(-1, MAX_LENGTH + 1);
        CALLS.incrementAndGet();
        String real = outcome(REAL, kind, file, offset, size);
        String expected = outcome(model, kind, file, offset, size);
        if (!real.equals(expected)) {
          throw new AssertionError(
              "call " + kind + " of " + offset + ", " + size + ": " + real + ", not " + expected);
        }
      }
    } finally {
      for (int i = 0; i < FILES; i++) {
        REAL.invalidateFile(firstFile + i);
      }
      REAL.control().maintain();
    }
    if (REAL.stats().usedBytes() != 0) {
      throw new AssertionError("left: " + REAL.stats());
    }
  }

  private static String outcome(BlockCache cache, int kind, long file, long offset, int size) {
    try {
      return switch (kind) {
        case 0, 1 -> offer(cache, file, offset, size);
        case 2, 3 -> {
          ByteBuffer dst = ByteBuffer.allocate(Math.max(0, size));
          int got = cache.get(file, offset, dst);
          yield got + " " + dst.flip();
        }
        case 4 -> {
          ByteBuffer dst = ByteBuffer.allocateDirect(64);
          int got = cache.getRange(file, offset, size, dst);
          yield got + " " + (got > 0 ? dst.flip().hashCode() : 0);
        }
        case 5 -> pin(cache, file, offset);
        case 6 -> "" + cache.invalidate(file, offset);
        default -> {
          if (size % 8 == 0) {
            cache.invalidateFile(file);
          }
          yield "";
        }
      };
    } catch (IllegalArgumentException | IndexOutOfBoundsException | BufferOverflowException e) {
      return e.getClass().getSimpleName();
    }
  }

  private static String offer(BlockCache cache, long file, long offset, int size) {
    int from = (int) (offset * 31 + file * 7) & 0xFF;
    ByteBuffer block = ByteBuffer.wrap(BYTES, from, Math.max(0, size)).slice();
    if (size > MAX_LENGTH) {
      return ""; // The model has no longest block.
    }
    return cache.offer(file, offset, block, Source.READ).name();
  }

  private static String pin(BlockCache cache, long file, long offset) {
    try (PinnedBlock pin = cache.pin(file, offset)) {
      return pin == null ? "none" : pin.length() + " " + pin.buffer().hashCode();
    }
  }
}
