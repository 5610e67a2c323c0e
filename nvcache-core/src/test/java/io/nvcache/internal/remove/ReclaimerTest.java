// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.remove;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.internal.background.Maintenance;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.policy.GuardedAdmission;
import io.nvcache.internal.policy.GuardedEviction;
import io.nvcache.internal.policy.Policies;
import io.nvcache.internal.policy.PolicyFailures;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.space.Allocator;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.internal.space.Sizing;
import io.nvcache.internal.space.SlabAllocator;
import io.nvcache.medium.NativeMedium;
import io.nvcache.stats.StripedCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of space that is being emptied. */
final class ReclaimerTest {
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

  private Reclaimer reclaimer() {
    BlockTables tables =
        new BlockTables(
            index, new FileTable(), allocator, new MediumSpace(medium, allocator), null);
    PolicyFailures failures = new PolicyFailures();
    Policies policies =
        new Policies(
            new GuardedAdmission(
                (fileId, offset, length, source) -> AdmissionDecision.ADMIT, failures),
            new GuardedEviction(
                new FifoEviction(
                    new EvictionContext(index.slots(), index, new EngineSettings(), () -> 0)),
                failures),
            failures);
    Remover remover = new Remover(index, allocator, tables.files(), counters, listener);
    return new Reclaimer(
        tables,
        policies,
        counters,
        remover,
        new CallGate(counters),
        Maintenance.BY_CALLER,
        () -> 0);
  }

  @Test
  void shouldGiveBackWhatItCouldNotEmptyForWantOfMemory() {
    for (int i = 0; i < EXTENT / SHORT; i++) {
      long location = allocator.allocate(SHORT);
      assertThat(index.insert(BucketLayout.key(1, i), location, 0, listener)).isNotNegative();
    }
    assertThat(allocator.allocate(LONG)).isEqualTo(Allocator.NO_SPACE);
    allocator.starve(LONG);
    Reclaimer reclaimer = reclaimer();
    assertThatThrownBy(reclaimer::run).isInstanceOf(OutOfMemoryError.class);
    assertThat(allocator.isDraining(0)).isFalse();
  }
}
