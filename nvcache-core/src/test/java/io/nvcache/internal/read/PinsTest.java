// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.sun.management.ThreadMXBean;
import io.nvcache.BlockCache;
import io.nvcache.Checksum;
import io.nvcache.PinnedBlock;
import io.nvcache.ReusablePin;
import io.nvcache.Source;
import io.nvcache.TestHook;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.MissReason;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.eviction.Sweep;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.slots.SlabAllocator;
import io.nvcache.internal.slots.SlotSpace;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.memory.RawMemory;
import io.nvcache.stats.StripedCounters;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to a block between being found and being pinned. */
final class PinsTest {
  private static final int LENGTH = 4096;
  private static final int LONGEST = 1 << 17;

  /** As many find memory. */
  private static final int COPIES = 70;

  private FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
  private final List<Integer> admitted = new ArrayList<>();
  private Runnable onHit = () -> {};
  private BlockCache cache;

  @AfterEach
  void close() {
    cache.close();
  }

  private void build(Checksum checksum) {
    cache =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(LENGTH)
            .expectedBlockBytes(LENGTH)
            .checksum(checksum)
            .admission(AdmissionPresets.admitAll())
            .eviction(Hooked::new)
            .testing(TestHook.bufferBytes(COPIES * (4096L + Long.BYTES)))
            .maintainedByCaller()
            .build();
  }

  private void buildForLongBlocks() {
    cache =
        BlockCache.builder()
            .medium(medium)
            .maxBlockBytes(LONGEST)
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build();
  }

  private void offer(int value) {
    ByteBuffer block = ByteBuffer.allocate(LENGTH).putInt(0, value);
    cache.offer(1, 0, block, Source.READ);
  }

  /**
   * The policy hears of the hit when the entry has been found to stand, and before the bytes are
   * compared: from then on the slot of the index may be another block's.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldCompareABlockWithItsOwnChecksum(boolean addressable) {
    medium.showAddresses = addressable;
    build(Checksum.CRC32C);
    offer(1);
    onHit =
        () -> {
          onHit = () -> {};
          cache.invalidate(1, 0);
          offer(2);
        };

    try (PinnedBlock pin = cache.pin(1, 0)) {
      assertThat(admitted).as("slots of both blocks").hasSize(2);
      assertThat(admitted.get(1)).isEqualTo(admitted.get(0));
      assertThat(cache.control().health().checksumFailures()).isZero();
      assertThat(pin).isNotNull();
      assertThat(pin.buffer().getInt(0)).as("pinned before it was replaced").isEqualTo(1);
    }
    try (PinnedBlock pin = cache.pin(1, 0)) {
      assertThat(pin).isNotNull();
      assertThat(pin.buffer().getInt(0)).isEqualTo(2);
    }
    assertThat(cache.control().health().quarantinedBlocks()).isZero();
    assertThat(cache.control().health().inService()).isTrue();
  }

  @Test
  void shouldCountAPinOutWhoseSpaceCouldNotBeGivenBack() {
    build(Checksum.NONE);
    NativeMedium own = NativeMedium.allocate(1 << 20);
    StripedCounters counters = new StripedCounters();
    SlabAllocator allocator =
        new SlabAllocator(new Sizing(Sizing.Cut.SLABS, 256, 1 << 16, 1 << 20, LENGTH, LENGTH));
    BlockIndex index = new BlockIndex(64, 1);
    MediumSpace medium = new MediumSpace(own, allocator.locations());
    SlotSpace space = new SlotSpace(index, medium, allocator, null, null);
    BlockTables tables =
        new BlockTables(index, new FileTable(), allocator.locations(), medium, space);
    PinnedMedium pinned = new PinnedMedium(own, new EngineSettings(), counters);
    RetainedPins pins = new RetainedPins(tables, space, counters, null, pinned, null, null);
    int stripe = counters.stripe();
    assertThat(new PinnedBytes(counters, 1 << 20).reserve(stripe, LENGTH)).isTrue();

    MediumHandle handle = new MediumHandle(own);
    assertThatThrownBy(() -> pins.unpin(handle, 0, LENGTH, stripe))
        .as("of a slot that is free")
        .isInstanceOf(IllegalStateException.class);
    assertThat(PinnedBytes.pinnedBytes(counters)).isZero();
  }

  @Test
  void shouldPinABlockAndGetItsSpaceBackThoughThePolicyThrowsAnError() {
    medium.showAddresses = true;
    build(Checksum.NONE);
    offer(1);
    onHit =
        () -> {
          throw new AssertionError("of the policy");
        };

    try (PinnedBlock pin = cache.pin(1, 0)) {
      assertThat(pin).as("the store's hit").isNotNull();
    }
    assertThat(cache.invalidate(1, 0)).isTrue();
    assertThat(cache.stats().usedBytes()).isZero();
  }

  /** The policy hears of the hit within the call that moves the pin. */
  @Test
  void shouldRefuseACallOfAReusablePinDuringAnother() {
    medium.showAddresses = true;
    build(Checksum.NONE);
    offer(1);
    ReusablePin pin = cache.reusablePin();
    List<Throwable> refused = new ArrayList<>();
    onHit =
        () -> {
          for (Runnable call :
              List.<Runnable>of(
                  () -> pin.moveTo(1, 0),
                  () -> pin.copyRange(0, ByteBuffer.allocate(1)),
                  pin::unpin)) {
            refused.add(catchThrowable(call::run));
            CompletableFuture.runAsync(() -> refused.add(catchThrowable(call::run))).join();
          }
        };

    assertThat(pin.moveTo(1, 0)).isEqualTo(LENGTH);

    onHit = () -> {};
    assertThat(refused).hasSize(6).allMatch(IllegalStateException.class::isInstance);
    ByteBuffer part = ByteBuffer.allocate(4);
    assertThat(pin.copyRange(0, part)).isEqualTo(4);
    assertThat(part.getInt(0)).isEqualTo(1);
    pin.unpin();
    assertThat(cache.invalidate(1, 0)).isTrue();
    assertThat(cache.stats().usedBytes()).isZero();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldMissAndKeepNothingWhereAReusablePinFindsACorruptBlock(boolean addressable) {
    medium.showAddresses = addressable;
    build(Checksum.CRC32C);
    medium.inject(Fault.FLIPPED_WRITE);
    offer(1);
    medium.inject(null);
    ReusablePin pin = cache.reusablePin();

    assertThat(pin.moveTo(1, 0)).isEqualTo(BlockCache.MISS);

    assertThat(cache.control().health().checksumFailures()).isEqualTo(1);
    assertThat(cache.stats().pinnedBytes()).isZero();
    assertThatThrownBy(() -> pin.copyRange(0, ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldCopyWhereTheMediumCantBeReadInPlaceOrPinsMayHoldNoMore() {
    for (boolean addressable : new boolean[] {true, false}) {
      medium.showAddresses = addressable;
      build(Checksum.NONE);
      cache.control().settings().setMaxPinnedBytes(0);
      offer(7);
      ReusablePin pin = cache.reusablePin();

      assertThat(pin.moveTo(1, 0)).isEqualTo(LENGTH);
      cache.invalidate(1, 0);
      offer(8);

      ByteBuffer part = ByteBuffer.allocateDirect(4);
      assertThat(pin.copyRange(0, part)).isEqualTo(4);
      assertThat(part.getInt(0)).isEqualTo(7);
      assertThat(cache.stats().refusedPins()).isEqualTo(addressable ? 1 : 0);
      assertThat(cache.stats().pinnedBytes()).isZero();
      if (addressable) {
        cache.close();
        medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
      }
    }
  }

  /** HBase reads views, and releases blocks on other threads than those that found them. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldLendTheMemoryOfACopyAgain(boolean closedElsewhere) {
    build(Checksum.NONE);
    offer(7);
    Set<Long> addresses = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      PinnedBlock pin = cache.pin(1, 0);
      assertThat(pin).isNotNull();
      ByteBuffer view = pin.buffer();
      assertThat(view.getInt(0)).isEqualTo(7);
      addresses.add(RawMemory.bufferAddress(view));
      if (closedElsewhere) {
        CompletableFuture.runAsync(pin::close).join();
      } else {
        pin.close();
      }
    }
    assertThat(addresses).hasSize(1);
  }

  /** HBase holds the blocks of all gets of a batch until its end. */
  @Test
  void shouldCopyToTheHeapWhereAllCopiesAreLent() {
    build(Checksum.NONE);
    offer(7);
    cache.control().settings().setMaxPinnedBytes(1 << 20);
    List<PinnedBlock> pins = new ArrayList<>();
    for (int i = 0; i < COPIES + 10; i++) {
      pins.add(cache.pinOrCopy(1, 0));
    }
    assertThat(pins).allMatch(pin -> pin.buffer().getInt(0) == 7);
    assertThat(pins.stream().filter(pin -> pin.buffer().isDirect())).hasSize(COPIES);
    assertThat(cache.stats().pinnedBytes()).isEqualTo((long) COPIES * LENGTH);
    assertThat(cache.stats().refusedPins()).isEqualTo(10);
    pins.forEach(PinnedBlock::close);
    assertThat(cache.stats().pinnedBytes()).isZero();
  }

  @Test
  void shouldRefuseAPinWhereAllCopiesAreLent_AndCountIt() {
    build(Checksum.NONE);
    offer(7);
    cache.control().settings().setMaxPinnedBytes(1 << 20);
    List<PinnedBlock> pins = new ArrayList<>();
    for (int i = 0; i < COPIES; i++) {
      pins.add(cache.pin(1, 0));
    }
    assertThat(cache.pin(1, 0)).isNull();
    assertThat(cache.stats().refusedPins()).isEqualTo(1);
    assertThat(cache.control().ledger().misses(MissReason.PIN_REFUSED)).isEqualTo(1);
    pins.get(0).close();
    assertThat(cache.pin(1, 0).buffer().getInt(0)).isEqualTo(7);
    pins.forEach(PinnedBlock::close);
  }

  /** A batch beyond the bound would else cost the longest block's memory for each of its gets. */
  @Test
  void shouldCopyToTheHeapWhatTheBlockNeedsAndNoMore() {
    buildForLongBlocks();
    offer(7);
    cache.control().settings().setMaxPinnedBytes(0);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int round = 0; round < 2; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      try (PinnedBlock pin = cache.pinOrCopy(1, 0)) {
        assertThat(pin.length()).isEqualTo(LENGTH);
        assertThat(pin.buffer().getInt(0)).isEqualTo(7);
        if (round == 1) { // Classes are loaded by then.
          assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(LONGEST / 2);
        }
      }
    }
  }

  /** A search engine has thousands of reusable pins, each with its own room. */
  @Test
  void shouldTakeRoomForTheBlockAndNotForTheLongest() {
    buildForLongBlocks();
    offer(7);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    ReusablePin warm = cache.reusablePin();
    assertThat(warm.moveTo(1, 0)).isEqualTo(LENGTH);
    ReusablePin pin = cache.reusablePin();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(pin.moveTo(1, 0)).isEqualTo(LENGTH);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(LONGEST / 2);
  }

  /** FIFO, with a hook on hits. */
  private final class Hooked implements EvictionPolicy {
    private final EvictionPolicy fifo;

    Hooked(EvictionContext context) {
      this.fifo = new FifoEviction(context);
    }

    @Override
    public void onAdmit(int slot) {
      admitted.add(slot);
      fifo.onAdmit(slot);
    }

    @Override
    public void onHit(int slot) {
      onHit.run();
    }

    @Override
    public void onRemove(int slot) {
      fifo.onRemove(slot);
    }

    @Override
    public int victim() {
      return fifo.victim();
    }

    @Override
    public void sweep(Sweep sweep) {
      fifo.sweep(sweep);
    }

    @Override
    public long metadataBytes() {
      return fifo.metadataBytes();
    }

    @Override
    public void close() {
      fifo.close();
    }
  }
}
