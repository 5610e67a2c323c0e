// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.ForwardingBlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.ReferenceBlockCache;
import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The judge of the stress run sees each kind of lie; a judge that sees none is worth nothing. */
class StressWorkerTest {
  private static final int STEPS = 50_000;

  private static StressTally judge(BlockCache cache) {
    StressTally tally = new StressTally();
    AtomicInteger steps = new AtomicInteger();
    new StressWorker(
            () -> cache,
            new StressFiles(),
            new SharedPins(),
            tally,
            new SplittableRandom(1),
            () -> steps.incrementAndGet() > STEPS || tally.violations() > 0,
            Long.MAX_VALUE / 2,
            1)
        .run();
    return tally;
  }

  @Test
  void shouldAcceptTheNaiveCache() {
    StressTally tally = judge(new ReferenceBlockCache());
    assertThat(tally.violations()).as(tally.explanation()).isZero();
    assertThat(tally.hits.sum()).isGreaterThan(STEPS / 10);
    assertThat(tally.sharedReads.sum()).isGreaterThan(STEPS / 100);
    assertThat(tally.pinsInPlace.sum()).as("copies").isZero();
  }

  @Test
  void shouldSeeAPinInPlace() {
    try (BlockCache cache =
        BlockCache.builder()
            .nativeMemory(16 << 20)
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build()) {
      StressTally tally = judge(cache);
      assertThat(tally.violations()).as(tally.explanation()).isZero();
      assertThat(tally.pinsInPlace.sum()).isPositive();
    }
  }

  /** The bytes of a pin that was ended too early: another block's by now. */
  @Test
  void shouldSeeASharedPinOfAnotherBlock() {
    StressTally tally =
        judge(
            new ForwardingBlockCache(new ReferenceBlockCache()) {
              @Override
              public PinnedBlock pin(long fileId, long offset) {
                return super.pin(fileId, offset ^ StressBlock.MAX_BYTES);
              }
            });
    assertThat(tally.wrong.sum()).isEqualTo(1);
    assertThat(tally.explanation()).contains("pin");
  }

  @Test
  void shouldSeeAnotherBlocksBytes() {
    StressTally tally =
        judge(
            new ForwardingBlockCache(new ReferenceBlockCache()) {
              @Override
              public int get(long fileId, long offset, ByteBuffer dst) {
                return super.get(fileId, offset ^ StressBlock.MAX_BYTES, dst);
              }
            });
    assertThat(tally.wrong.sum()).isEqualTo(1);
  }

  @Test
  void shouldSeeAFlippedBit() {
    StressTally tally =
        judge(
            new ForwardingBlockCache(new ReferenceBlockCache()) {
              @Override
              public int get(long fileId, long offset, ByteBuffer dst) {
                int length = super.get(fileId, offset, dst);
                if (length > 0) {
                  int at = dst.position() - 7;
                  dst.put(at, (byte) (dst.get(at) ^ 4));
                }
                return length;
              }
            });
    assertThat(tally.wrong.sum()).isEqualTo(1);
  }

  @Test
  void shouldSeeWhatWasInvalidated() {
    StressTally tally =
        judge(
            new ForwardingBlockCache(new ReferenceBlockCache()) {
              @Override
              public boolean invalidate(long fileId, long offset) {
                return false;
              }
            });
    assertThat(tally.violations()).isEqualTo(1);
  }

  @Test
  void shouldSeeARangeThatIsNotTheBlocks() {
    StressTally tally =
        judge(
            new ForwardingBlockCache(new ReferenceBlockCache()) {
              @Override
              public int getRange(long fileId, long offset, int from, ByteBuffer dst) {
                return super.getRange(fileId, offset, from + 1, dst);
              }
            });
    assertThat(tally.wrong.sum()).isEqualTo(1);
  }

  @Test
  void shouldSeeARangeThatIsTooShort() {
    StressTally tally =
        judge(
            new ForwardingBlockCache(new ReferenceBlockCache()) {
              @Override
              public int getRange(long fileId, long offset, int from, ByteBuffer dst) {
                int copied = super.getRange(fileId, offset, from, dst);
                if (copied <= 0) {
                  return copied;
                }
                dst.position(dst.position() - 1);
                return copied - 1;
              }
            });
    assertThat(tally.wrong.sum()).isEqualTo(1);
  }

  @Test
  void shouldSeeARangeWhoseLengthIsNotWhatWasCopied() {
    StressTally tally =
        judge(
            new ForwardingBlockCache(new ReferenceBlockCache()) {
              @Override
              public int getRange(long fileId, long offset, int from, ByteBuffer dst) {
                int copied = super.getRange(fileId, offset, from, dst);
                return copied <= 0 ? copied : copied + 1;
              }
            });
    assertThat(tally.wrong.sum()).isEqualTo(1);
  }

  @Test
  void shouldSeeAnException() {
    StressTally tally =
        judge(
            new ForwardingBlockCache(new ReferenceBlockCache()) {
              @Override
              public void invalidateFile(long fileId) {
                throw new IllegalStateException("broken");
              }
            });
    assertThat(tally.unexpected.sum()).isEqualTo(1);
    assertThat(tally.explanation()).contains("broken");
  }
}
