// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.policy.PolicyFailures;
import io.nvcache.internal.remove.Remover;
import io.nvcache.internal.remove.SlotScan;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.NativeMedium;
import io.nvcache.stats.StripedCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of space that is being emptied. */
final class SlotRebalancingTest {
  private static final int EXTENT = 1 << 16;
  private static final int SHORT = 4096;
  private static final int LONG = 8192;

  private final NativeMedium medium = NativeMedium.allocate(EXTENT);
  private final BlockIndex index = new BlockIndex(64, 1);
  private final StripedCounters counters = new StripedCounters();

  private final SlabAllocator allocator =
      new SlabAllocator(new Sizing(Sizing.Cut.SLABS, 256, EXTENT, EXTENT, SHORT, LONG));

  private final BlockIndex.SlotListener listener =
      new BlockIndex.SlotListener() {
        @Override
        public void inserted(int slot) {}

        @Override
        public void removed(int slot, long key) {
          throw new OutOfMemoryError("for the test");
        }
      };

  @AfterEach
  void close() {
    index.close();
    medium.close();
  }

  private SlotRebalancing rebalancing() {
    MediumSpace space = new MediumSpace(medium, allocator.locations());
    BlockTables tables =
        new BlockTables(
            index,
            new FileTable(),
            allocator.locations(),
            space,
            new SlotSpace(index, space, allocator, null, null));
    return new SlotRebalancing(
        index,
        allocator,
        new GuardedAdmission(candidate -> AdmissionDecision.ADMIT, counters, new PolicyFailures()),
        new Remover(tables, counters, listener),
        new SlotScan(index, new CallGate(counters)));
  }

  @Test
  void shouldGiveBackWhatItCouldNotEmptyForWantOfMemory() {
    for (int i = 0; i < EXTENT / SHORT; i++) {
      long location = allocator.allocate(SHORT);
      assertThat(index.insert(BucketLayout.key(1, i), location, 0, listener))
          .isEqualTo(BlockIndex.Insertion.DONE);
    }
    assertThat(allocator.allocate(LONG)).isEqualTo(Allocator.NO_SPACE);
    allocator.recordShortage(LONG, Allocator.Shortage.FRAGMENTED);
    SlotRebalancing rebalancing = rebalancing();
    assertThatThrownBy(rebalancing::run).isInstanceOf(OutOfMemoryError.class);
    assertThat(allocator.isDraining(0)).isFalse();
  }
}
