// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.ReadOnlyBufferException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The clauses of {@link BlockCache} that hold whatever the engine, for a cache that has room. */
public abstract class BlockCacheContract {
  private static final int BLOCK = 4096;
  private static final long FILE = 7;

  /** Blocks after which a cache of 1 MiB must have evicted some. */
  private static final int MOST_TO_FILL = 4096;

  private BlockCache cache;

  /** A cache that admits everything, with room for 1 MiB of blocks. */
  protected abstract BlockCache create(long maxPinnedBytes);

  /** Whether an offer that finds no space finds some later, without another call. */
  protected boolean makesSpaceInTheBackground() {
    return false;
  }

  @BeforeEach
  void open() {
    cache = create(4 * BLOCK);
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private static ByteBuffer block(long fileId, long offset, int length) {
    byte[] bytes = new byte[length];
    new Random(fileId * 31 + offset).nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private void admit(long fileId, long offset) {
    assertThat(cache.offer(fileId, offset, block(fileId, offset, BLOCK), Source.READ))
        .isEqualTo(OfferResult.ADMITTED);
  }

  @Test
  void shouldServeARewriteWithoutCountingLookups() {
    admit(FILE, 0);
    Rewrite rewrite = cache.rewrite();

    try (PinnedBlock input = rewrite.read(FILE, 0)) {
      assertThat(input).isNotNull();
      assertThat(input.buffer()).isEqualTo(block(FILE, 0, BLOCK));
    }
    assertThat(rewrite.read(FILE, 8192)).isNull();
    assertThat(cache.stats().lookups()).isZero();
    assertThat(cache.stats().hits()).isZero();
    assertThat(cache.control().ledger().contradictions()).isEmpty();
  }

  @Test
  void shouldCarryNothingWithoutHeat() {
    Rewrite rewrite = cache.rewrite();
    rewrite.read(FILE, 0);
    rewrite.wrote(FILE + 1, 0, BLOCK);

    int carried =
        rewrite.carry(
            (fileId, offset, lengthBytes) -> {
              throw new AssertionError("no block is wanted");
            });

    assertThat(carried).isZero();
    assertThat(cache.stats().offers(Source.COMPACTION)).isZero();
  }

  @Test
  void shouldRefuseBlocksThatCannotBe() {
    Rewrite rewrite = cache.rewrite();
    assertThatThrownBy(() -> rewrite.read(FILE, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> rewrite.wrote(FILE, -1, BLOCK))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> rewrite.wrote(FILE, 0, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldMissInARewriteOnceClosed() {
    admit(FILE, 0);
    Rewrite rewrite = cache.rewrite();
    cache.close();

    assertThat(rewrite.read(FILE, 0)).isNull();
    rewrite.wrote(FILE + 1, 0, BLOCK);
    assertThat(rewrite.carry((fileId, offset, lengthBytes) -> block(fileId, offset, lengthBytes)))
        .isZero();
  }

  @Test
  void shouldMissWhatWasNeverOffered() {
    ByteBuffer dst = ByteBuffer.allocate(BLOCK).position(3);

    assertThat(cache.get(FILE, 0, dst)).isEqualTo(BlockCache.MISS);
    assertThat(dst.position()).isEqualTo(3);
    assertThat(cache.pin(FILE, 0)).isNull();
    assertThat(cache.invalidate(FILE, 0)).isFalse();
  }

  @Test
  void shouldCopyABlockToThePositionOfHeapAndDirectBuffers() {
    admit(FILE, 8192);
    for (ByteBuffer dst : new ByteBuffer[] {allocate(false), allocate(true)}) {
      dst.position(5);

      assertThat(cache.get(FILE, 8192, dst)).isEqualTo(BLOCK);

      assertThat(dst.position()).isEqualTo(5 + BLOCK);
      assertThat(dst.limit()).isEqualTo(dst.capacity());
      assertThat(dst.slice(5, BLOCK)).isEqualTo(block(FILE, 8192, BLOCK));
      assertThat(dst.get(4)).isZero();
      assertThat(dst.get(5 + BLOCK)).isZero();
    }
  }

  private static ByteBuffer allocate(boolean direct) {
    int length = BLOCK + 10;
    return direct ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 8, 9, 63, 64, 65, 100, 3000})
  void shouldCopyARangeOfABlock(int length) {
    admit(FILE, 8192);
    ByteBuffer whole = block(FILE, 8192, BLOCK);
    ByteBuffer slice = ByteBuffer.allocate(BLOCK + 20).position(3).slice();
    for (ByteBuffer dst : new ByteBuffer[] {allocate(false), allocate(true), slice}) {
      dst.position(5).limit(5 + length);

      assertThat(cache.getRange(FILE, 8192, 1001, dst)).isEqualTo(length);

      assertThat(dst.position()).isEqualTo(5 + length);
      assertThat(dst.get(4)).isZero();
      assertThat(dst.clear().slice(5, length)).isEqualTo(whole.slice(1001, length));
      assertThat(dst.get(5 + length)).isZero();
    }
  }

  @Test
  void shouldEndARangeWithTheBlock() {
    admit(FILE, 0);
    ByteBuffer dst = ByteBuffer.allocate(BLOCK);

    assertThat(cache.getRange(FILE, 0, BLOCK - 7, dst)).isEqualTo(7);
    assertThat(dst.flip()).isEqualTo(block(FILE, 0, BLOCK).slice(BLOCK - 7, 7));
    assertThat(cache.getRange(FILE, 0, BLOCK, dst.clear())).isZero();
    assertThat(cache.getRange(FILE, 0, 0, ByteBuffer.allocate(0))).isZero();
  }

  @Test
  void shouldRefuseARangeThatIsNotInTheBlock() {
    admit(FILE, 0);
    ByteBuffer dst = ByteBuffer.allocate(10);

    assertThatThrownBy(() -> cache.getRange(FILE, 0, BLOCK + 1, dst))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("4097");
    assertThatThrownBy(() -> cache.getRange(FILE, 0, -1, dst))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessageContaining("-1");
    assertThatThrownBy(() -> cache.getRange(FILE, 0, 0, dst.asReadOnlyBuffer()))
        .isInstanceOf(ReadOnlyBufferException.class);
    assertThat(cache.getRange(FILE, 1, BLOCK + 1, dst)).isEqualTo(BlockCache.MISS);
    assertThat(dst.position()).isZero();
  }

  @Test
  void shouldTakeTheRemainingBytesAndLeaveTheOfferedBufferAsItWas() {
    ByteBuffer offered = ByteBuffer.allocateDirect(100);
    for (int i = 0; i < 100; i++) {
      offered.put(i, (byte) i);
    }
    offered.position(10).limit(40).order(ByteOrder.LITTLE_ENDIAN);

    assertThat(cache.offer(FILE, 0, offered, Source.FLUSH)).isEqualTo(OfferResult.ADMITTED);

    assertThat(offered.position()).isEqualTo(10);
    assertThat(offered.limit()).isEqualTo(40);
    offered.put(10, (byte) 99); // the buffer may be reused at once
    ByteBuffer dst = ByteBuffer.allocate(30);
    assertThat(cache.get(FILE, 0, dst)).isEqualTo(30);
    assertThat(dst.get(0)).isEqualTo((byte) 10);
    assertThat(dst.get(29)).isEqualTo((byte) 39);
  }

  @Test
  void shouldKeepTheFirstOfTwoOffers() {
    admit(FILE, 0);

    assertThat(cache.offer(FILE, 0, block(1, 1, BLOCK), Source.READ))
        .isEqualTo(OfferResult.ALREADY_CACHED);

    ByteBuffer dst = ByteBuffer.allocate(BLOCK);
    cache.get(FILE, 0, dst);
    assertThat(dst.flip()).isEqualTo(block(FILE, 0, BLOCK));
  }

  @Test
  void shouldTellFilesAndOffsetsApart() {
    admit(1, 0);
    admit(2, 0);
    admit(1, BLOCK);
    admit(Long.MIN_VALUE, Long.MAX_VALUE);

    for (long[] key : new long[][] {{1, 0}, {2, 0}, {1, BLOCK}, {Long.MIN_VALUE, Long.MAX_VALUE}}) {
      ByteBuffer dst = ByteBuffer.allocate(BLOCK);
      assertThat(cache.get(key[0], key[1], dst)).isEqualTo(BLOCK);
      assertThat(dst.flip()).isEqualTo(block(key[0], key[1], BLOCK));
    }
    assertThat(cache.get(2, BLOCK, ByteBuffer.allocate(BLOCK))).isEqualTo(BlockCache.MISS);
  }

  @Test
  void shouldRefuseATooShortBufferAndKeepTheBlock() {
    admit(FILE, 0);
    ByteBuffer dst = ByteBuffer.allocate(BLOCK - 1);

    assertThatThrownBy(() -> cache.get(FILE, 0, dst)).isInstanceOf(BufferOverflowException.class);

    assertThat(dst).isEqualTo(ByteBuffer.allocate(BLOCK - 1));
    assertThat(cache.get(FILE, 0, ByteBuffer.allocate(BLOCK))).isEqualTo(BLOCK);
  }

  @Test
  void shouldRefuseBadArguments() {
    ByteBuffer room = ByteBuffer.allocate(BLOCK);
    ByteBuffer empty = ByteBuffer.allocate(0);

    assertThatThrownBy(() -> cache.get(FILE, -1, room))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cache.pin(FILE, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cache.offer(FILE, -1, room, Source.READ))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cache.offer(FILE, 0, empty, Source.READ))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> cache.invalidate(FILE, -1))
        .isInstanceOf(IllegalArgumentException.class);
    admit(FILE, 0);
    assertThatThrownBy(() -> cache.get(FILE, 0, room.asReadOnlyBuffer()))
        .isInstanceOf(ReadOnlyBufferException.class);
  }

  @Test
  void shouldPinABlockThatStaysWhatItWasAfterItsInvalidation() {
    admit(FILE, 0);
    try (PinnedBlock pin = cache.pin(FILE, 0)) {
      assertThat(pin.length()).isEqualTo(BLOCK);
      assertThat(pin.buffer().isReadOnly()).isTrue();
      assertThat(cache.invalidate(FILE, 0)).isTrue();
      for (long offset = 1; offset <= 16; offset++) {
        cache.offer(FILE, offset * BLOCK, block(FILE, offset * BLOCK, BLOCK), Source.READ);
      }

      ByteBuffer expected = block(FILE, 0, BLOCK);
      assertThat(pin.buffer()).isEqualTo(expected);
      assertThat(pin.getLong(16)).isEqualTo(expected.getLong(16));
      assertThatThrownBy(() -> pin.getLong(BLOCK - 7))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThat(cache.stats().pinnedBytes()).isGreaterThanOrEqualTo(BLOCK);
    }
    assertThat(cache.stats().pinnedBytes()).isZero();
  }

  /** Offers a block until the medium, which may have to write others first, is not busy. */
  private void offerOnceWritten(long number) {
    ByteBuffer block = block(FILE, number * BLOCK, BLOCK);
    OfferResult result = cache.offer(FILE, number * BLOCK, block, Source.READ);
    while (result == OfferResult.MEDIUM_BUSY
        || (result == OfferResult.NO_SPACE && makesSpaceInTheBackground())) {
      LockSupport.parkNanos(20_000);
      result = cache.offer(FILE, number * BLOCK, block, Source.READ);
    }
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void shouldNotGiveAPinnedBlocksSpaceToAnother() {
    long next = 0;
    while (cache.stats().evictions() == 0 && next < MOST_TO_FILL) {
      offerOnceWritten(next);
      next++;
    }
    boolean evicts = cache.stats().evictions() > 0; // The naive model has room for all.
    List<PinnedBlock> pins = new ArrayList<>();
    List<Long> pinned = new ArrayList<>();
    for (long i = next - 1; i >= 0 && pins.size() < 3; i--) {
      PinnedBlock pin = cache.pin(FILE, i * BLOCK);
      if (pin != null) {
        pins.add(pin);
        pinned.add(i * BLOCK);
      }
    }
    assertThat(pins).isNotEmpty();

    for (long i = next; i < 5 * next; i++) {
      offerOnceWritten(i);
    }

    assertThat(cache.stats().evictions() > next).isEqualTo(evicts);
    for (int i = 0; i < pins.size(); i++) {
      assertThat(pins.get(i).buffer()).isEqualTo(block(FILE, pinned.get(i), BLOCK));
      pins.get(i).close();
    }
  }

  @Test
  void shouldEndAPinOnce() {
    admit(FILE, 0);
    PinnedBlock pin = cache.pin(FILE, 0);
    PinnedBlock other = cache.pin(FILE, 0);
    pin.close();
    pin.close();

    assertThatThrownBy(pin::buffer).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> pin.getLong(0)).isInstanceOf(IllegalStateException.class);
    assertThat(other.buffer()).isEqualTo(block(FILE, 0, BLOCK));
    other.close();
    assertThat(cache.stats().pinnedBytes()).isZero();
  }

  private static byte[] read(ReusablePin pin, int from, int length) {
    ByteBuffer part = ByteBuffer.allocate(length);
    assertThat(pin.copyRange(from, part)).isEqualTo(part.position());
    return Arrays.copyOf(part.array(), part.position());
  }

  @Test
  void shouldMoveAPinFromBlockToBlock() {
    admit(FILE, 0);
    admit(FILE, BLOCK);
    ReusablePin pin = cache.reusablePin();
    assertThatThrownBy(() -> read(pin, 0, 1)).isInstanceOf(IllegalStateException.class);

    for (long offset : new long[] {0, BLOCK, 0}) {
      byte[] expected = block(FILE, offset, BLOCK).array();
      assertThat(pin.moveTo(FILE, offset)).isEqualTo(BLOCK);
      assertThat(read(pin, 0, 2 * BLOCK)).isEqualTo(expected);
      assertThat(read(pin, 7, 9)).isEqualTo(Arrays.copyOfRange(expected, 7, 16));
      assertThat(read(pin, BLOCK, 1)).isEmpty();
      assertThatThrownBy(() -> read(pin, BLOCK + 1, 1))
          .isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> read(pin, -1, 1)).isInstanceOf(IndexOutOfBoundsException.class);
      assertThatThrownBy(() -> pin.copyRange(0, ByteBuffer.allocate(1).asReadOnlyBuffer()))
          .isInstanceOf(ReadOnlyBufferException.class);
      assertThat(cache.stats().pinnedBytes()).isEqualTo(BLOCK);
    }
    assertThat(cache.stats().hits()).isEqualTo(3);
    assertThatThrownBy(() -> pin.moveTo(FILE, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(read(pin, 0, BLOCK)).as("still there").hasSize(BLOCK);

    assertThat(pin.moveTo(FILE, 2 * BLOCK)).isEqualTo(BlockCache.MISS);
    assertThat(cache.stats().pinnedBytes()).isZero();
    assertThatThrownBy(() -> read(pin, 0, 1)).isInstanceOf(IllegalStateException.class);
    assertThat(pin.moveTo(FILE, 0)).isEqualTo(BLOCK);
    pin.unpin();
    pin.unpin();
    assertThat(cache.stats().pinnedBytes()).isZero();
    assertThatThrownBy(() -> read(pin, 0, 1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldKeepTheBlockThatAReusablePinIsOn() {
    admit(FILE, 0);
    ReusablePin pin = cache.reusablePin();
    assertThat(pin.moveTo(FILE, 0)).isEqualTo(BLOCK);
    cache.invalidate(FILE, 0);
    for (long offset = 1; offset <= 16; offset++) {
      cache.offer(FILE, offset * BLOCK, block(FILE, offset * BLOCK, BLOCK), Source.READ);
    }
    byte[] expected = block(FILE, 0, BLOCK).array();
    assertThat(read(pin, 0, BLOCK)).isEqualTo(expected);

    cache.close();

    assertThat(read(pin, 0, BLOCK)).isEqualTo(expected);
    assertThat(pin.moveTo(FILE, BLOCK)).isEqualTo(BlockCache.MISS);
    pin.unpin();
  }

  @Test
  void shouldBoundThePinnedBytes() {
    try (BlockCache none = create(0)) {
      none.offer(FILE, 0, block(FILE, 0, BLOCK), Source.READ);

      assertThat(none.pin(FILE, 0)).isNull();

      assertThat(none.stats().refusedPins()).isEqualTo(1);
      assertThat(none.stats().hits()).isZero();
      assertThat(none.get(FILE, 0, ByteBuffer.allocate(BLOCK))).isEqualTo(BLOCK);
    }
  }

  @Test
  void shouldForgetOneBlock() {
    admit(FILE, 0);
    admit(FILE, BLOCK);

    assertThat(cache.invalidate(FILE, 0)).isTrue();

    assertThat(cache.invalidate(FILE, 0)).isFalse();
    assertThat(cache.get(FILE, 0, ByteBuffer.allocate(BLOCK))).isEqualTo(BlockCache.MISS);
    assertThat(cache.get(FILE, BLOCK, ByteBuffer.allocate(BLOCK))).isEqualTo(BLOCK);
    assertThat(cache.stats().invalidations()).isEqualTo(1);
    assertThat(cache.stats().invalidatedBytes()).isEqualTo(BLOCK);
    admit(FILE, 0); // the place in the file may be used again
  }

  @Test
  void shouldForgetAFileAndItsPlaceInTheDataSet() {
    cache.control().dataSet().register(FILE, 10 * BLOCK);
    cache.control().dataSet().register(FILE + 1, BLOCK);
    admit(FILE, 0);
    admit(FILE, BLOCK);
    admit(FILE + 1, 0);

    cache.invalidateFile(FILE);

    assertThat(cache.stats().blocks()).isEqualTo(1); // Whatever is left to reclaim.
    assertThat(cache.get(FILE, 0, ByteBuffer.allocate(BLOCK))).isEqualTo(BlockCache.MISS);
    assertThat(cache.pin(FILE, BLOCK)).isNull();
    assertThat(cache.get(FILE + 1, 0, ByteBuffer.allocate(BLOCK))).isEqualTo(BLOCK);
    assertThat(cache.control().dataSet().bytes()).hasValue(BLOCK);
  }

  @Test
  void shouldKnowNoDataSetUntilAFileIsRegistered() {
    assertThat(cache.control().dataSet().bytes()).isEmpty();
    cache.control().dataSet().register(FILE, 100);
    cache.control().dataSet().register(FILE, 300);
    cache.control().dataSet().unregister(FILE + 1);
    assertThat(cache.control().dataSet().bytes()).hasValue(300);
    assertThat(cache.stats().dataSetBytes()).hasValue(300);
    assertThatThrownBy(() -> cache.control().dataSet().register(FILE, -1))
        .isInstanceOf(IllegalArgumentException.class);
    cache.control().dataSet().unregister(FILE);
    assertThat(cache.control().dataSet().bytes()).hasValue(0);
  }

  @Test
  void shouldCountWhatItDoes() {
    admit(FILE, 0);
    cache.offer(FILE, 0, block(FILE, 0, BLOCK), Source.SCAN);
    cache.get(FILE, 0, ByteBuffer.allocate(BLOCK));
    cache.get(FILE, BLOCK, ByteBuffer.allocate(BLOCK));
    cache.pin(FILE, 0).close();

    CacheStats stats = cache.stats();
    assertThat(stats.lookups()).isEqualTo(3);
    assertThat(stats.hits()).isEqualTo(2);
    assertThat(stats.misses()).isEqualTo(1);
    assertThat(stats.hitBytes()).isEqualTo(2 * BLOCK);
    assertThat(stats.offers(OfferResult.ADMITTED)).isEqualTo(1);
    assertThat(stats.offers(OfferResult.ALREADY_CACHED)).isEqualTo(1);
    assertThat(stats.offers(Source.SCAN)).isEqualTo(1);
    assertThat(stats.admittedBytes()).isEqualTo(BLOCK);
    assertThat(stats.blocks()).isEqualTo(1);
    assertThat(stats.blockBytes()).isEqualTo(BLOCK);
  }

  @Test
  void shouldMissAndTakeNothingOnceClosed() {
    admit(FILE, 0);
    PinnedBlock pin = cache.pin(FILE, 0);

    cache.close();
    cache.close();

    assertThat(cache.get(FILE, 0, ByteBuffer.allocate(BLOCK))).isEqualTo(BlockCache.MISS);
    assertThat(cache.pin(FILE, 0)).isNull();
    assertThat(cache.offer(FILE, BLOCK, block(FILE, BLOCK, BLOCK), Source.READ))
        .isEqualTo(OfferResult.CLOSED);
    assertThat(cache.invalidate(FILE, 0)).isFalse();
    cache.invalidateFile(FILE);
    assertThat(cache.stats().hits()).isEqualTo(1);
    assertThat(pin.buffer()).isEqualTo(block(FILE, 0, BLOCK));
    pin.close();
  }

  @Test
  void shouldCloseItsCompanionsOnce() {
    List<String> closed = new ArrayList<>();
    AutoCloseable left = () -> closed.add("left");
    cache
        .control()
        .addCompanion(
            () -> {
              closed.add("failing");
              throw new IllegalStateException("injected");
            });
    cache.control().addCompanion(left);
    cache.control().addCompanion(() -> closed.add("kept"));
    cache.control().removeCompanion(left);

    cache.close();
    cache.close();
    assertThat(closed).containsExactly("failing", "kept");

    cache.control().addCompanion(() -> closed.add("late"));
    assertThat(closed).containsExactly("failing", "kept", "late");
  }
}
