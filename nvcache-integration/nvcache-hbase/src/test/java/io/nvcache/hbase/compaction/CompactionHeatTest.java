// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import io.nvcache.hbase.ForeignBlock;
import io.nvcache.hbase.LocalCluster;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.blocks.ReadMode;
import io.nvcache.hbase.files.StoreFileNames;
import io.nvcache.host.CarryingThread;
import io.nvcache.host.ReasonCounts;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which threads carry. The clock is the test's: each look at it is a step. */
@Timeout(60)
class CompactionHeatTest {
  private final BlockCache cache = BlockCache.builder().nativeMemory(1 << 20).build();
  private final AtomicBoolean on = new AtomicBoolean(true);
  private final ReasonCounts<HeatDrop> drops = new ReasonCounts<>(HeatDrop.class);
  private final CarriedBlocks outputs = outputs(new HeldBlocks.Memory(0));

  private CarriedBlocks outputs(HeldBlocks.Memory memory) {
    StoreFileNames names = new StoreFileNames(cache, new FileIdRegistry(), name -> false);
    return new CarriedBlocks(names, new BlockPayload(ReadMode.COPY), memory);
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private CompactionHeat heatWhoseReadsTake(long nanos) {
    AtomicLong now = new AtomicLong();
    return new CompactionHeat(cache, 0, drops, on::get, () -> now.getAndAdd(nanos));
  }

  /** A rewrite of which only {@link #carry} is called. */
  private abstract static class Carried implements Rewrite {
    @Override
    public PinnedBlock read(long fileId, long offset) {
      throw new AssertionError();
    }

    @Override
    public double wrote(long fileId, long offset, int lengthBytes, double keyLookups) {
      throw new AssertionError();
    }

    @Override
    public int carryAhead(OutputReader kept) {
      throw new AssertionError();
    }
  }

  @Test
  void shouldCallOtherThreadsWhereReadsAreSlow() throws Exception {
    CountDownLatch all = new CountDownLatch(CompactionHeat.MOST_READERS);
    Rewrite rewrite =
        new Carried() {
          @Override
          public int carry(OutputReader reader) {
            all.countDown();
            for (int read = 0; read < CompactionHeat.SLOW_READS; read++) {
              reader.read(1, 0, 100);
            }
            try {
              all.await(); // So that each has a thread of its own.
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            return 0;
          }
        };
    try (CompactionHeat heat = heatWhoseReadsTake(CompactionHeat.SLOW_NANOS)) {
      heat.carry(rewrite, outputs);
      all.await();
    }
  }

  @Test
  void shouldLeaveAStoreThatIsFastToOneThread() throws Exception {
    AtomicLong now = new AtomicLong();
    leavesToOneThread(() -> now.getAndAdd(CompactionHeat.SLOW_NANOS - 1));
  }

  /** Some of its reads wait for a processor, and for long. */
  @Test
  void shouldCallNoOtherThreadsWhereProcessorsAreBusy() throws Exception {
    AtomicLong looks = new AtomicLong();
    AtomicLong now = new AtomicLong();
    long looksBetween = 2L * CompactionHeat.SLOW_READS; // Two of them are of one read.
    leavesToOneThread(
        () ->
            looks.incrementAndGet() % looksBetween == 0
                ? now.addAndGet(TimeUnit.SECONDS.toNanos(1))
                : now.get());
  }

  private void leavesToOneThread(LongSupplier nanoTime) throws Exception {
    AtomicInteger threads = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(2);
    Rewrite rewrite =
        new Carried() {
          @Override
          public int carry(OutputReader reader) {
            threads.incrementAndGet();
            for (int read = 0; read < 100 * CompactionHeat.SLOW_READS; read++) {
              reader.read(1, 0, 100);
            }
            done.countDown();
            return 0;
          }
        };
    try (CompactionHeat heat = new CompactionHeat(cache, 0, drops, on::get, nanoTime)) {
      heat.carry(rewrite, outputs);
      heat.carry(rewrite, outputs);
      done.await();
      assertThat(threads).hasValue(2);
    }
  }

  /** More are called in the middle, when the page cache has nothing more of the outputs. */
  @Test
  void shouldCallThemAsSoonAsReadsBecomeSlow() throws Exception {
    AtomicLong now = new AtomicLong();
    AtomicLong step = new AtomicLong();
    AtomicInteger callsBefore = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();
    CountDownLatch joined = new CountDownLatch(2);
    Rewrite rewrite =
        new Carried() {
          @Override
          public int carry(OutputReader reader) {
            joined.countDown();
            if (calls.incrementAndGet() > 1) {
              return 0;
            }
            for (int read = 0; read < 100 * CompactionHeat.SLOW_READS; read++) {
              reader.read(1, 0, 100);
            }
            callsBefore.set(calls.get());
            step.set(TimeUnit.SECONDS.toNanos(1));
            for (int read = 0; read < CompactionHeat.SLOW_READS; read++) {
              reader.read(1, 0, 100);
            }
            return 0;
          }
        };
    try (CompactionHeat heat =
        new CompactionHeat(cache, 0, drops, on::get, () -> now.getAndAdd(step.get()))) {
      heat.carry(rewrite, outputs);
      joined.await();
      assertThat(callsBefore).hasValue(1);
    }
  }

  @Test
  void shouldLetHeldBlocksGoOnceTheyAreCarried() throws Exception {
    ForeignBlock block = new ForeignBlock("written");
    int lengthBytes = new BlockPayload(ReadMode.COPY).lengthBytes(block);
    try (CompactionHeat heat =
        new CompactionHeat(cache, lengthBytes, drops, on::get, System::nanoTime)) {
      CarriedBlocks held = outputs(heat.memory());
      held.hold(1, 0, 9, lengthBytes, block);
      HeldBlocks next = new HeldBlocks(heat.memory());
      AtomicBoolean heldBeside = new AtomicBoolean();
      Rewrite rewrite =
          new Carried() {
            @Override
            public int carry(OutputReader reader) {
              heldBeside.set(holds(next, block, lengthBytes));
              return 0;
            }
          };
      heat.carry(rewrite, held);
      LocalCluster.await("the memory", () -> holds(next, block, lengthBytes));
      assertThat(heldBeside).as("beside what is carried").isFalse();
    }
  }

  @Test
  void shouldWaitForWhatIsCarriedAndForWhatWaits() throws Exception {
    AtomicInteger carried = new AtomicInteger();
    Rewrite rewrite =
        new Carried() {
          @Override
          public int carry(OutputReader reader) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            carried.incrementAndGet();
            return 0;
          }
        };
    try (CompactionHeat heat = heatWhoseReadsTake(0)) {
      heat.await(); // Nothing is under way.
      heat.carry(rewrite, outputs);
      heat.carry(rewrite, outputs);
      heat.await();
      assertThat(carried).hasValue(2);
    }
    try (CompactionHeat closed = heatWhoseReadsTake(0)) {
      closed.close();
      closed.carry(rewrite, outputs);
      closed.await(); // It was dropped.
      assertThat(carried).hasValue(2);
    }
  }

  private static boolean holds(HeldBlocks by, ForeignBlock block, int lengthBytes) {
    by.offer(2, 0, 9, lengthBytes, () -> new BlockPayload(ReadMode.COPY).encode(block));
    return by.get(2, 0) != null;
  }

  /** Carries nothing until it is let go. */
  private static final class Held extends Carried {
    final CountDownLatch begun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public int carry(OutputReader reader) {
      begun.countDown();
      try {
        goOn.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return 0;
    }
  }

  /** Counts how often it is carried. */
  private static final class Counted extends Carried {
    final AtomicInteger calls = new AtomicInteger();

    @Override
    public int carry(OutputReader reader) {
      return calls.incrementAndGet();
    }
  }

  @Test
  void shouldCountTheOldestThatItDrops() throws Exception {
    Counted waiting = new Counted();
    Held held = new Held();
    try (CompactionHeat heat = heatWhoseReadsTake(1)) {
      heat.carry(held, outputs);
      held.begun.await();
      for (int i = 0; i < CarryingThread.MOST_WAITING + 2; i++) {
        heat.carry(waiting, outputs);
      }
      assertThat(drops.of(HeatDrop.HEAT_QUEUE_FULL)).isEqualTo(2);
      held.goOn.countDown();
      LocalCluster.await("the others", () -> waiting.calls.get() == CarryingThread.MOST_WAITING);
    }
    assertThat(drops.byName())
        .containsEntry("heat-queue-full", 2L)
        .containsEntry("compaction-failed", 0L);
  }

  @Test
  void shouldDropWhatWaitsOnceItIsTurnedOff() throws Exception {
    Held held = new Held();
    Counted waiting = new Counted();
    try (CompactionHeat heat = heatWhoseReadsTake(1)) {
      heat.carry(held, outputs);
      held.begun.await();
      heat.carry(waiting, outputs);
      heat.carry(waiting, outputs);
      on.set(false);
      heat.turnedOff();
      assertThat(drops.of(HeatDrop.HEAT_TURNED_OFF)).isEqualTo(2);
      on.set(true);
      heat.carry(waiting, outputs);
      held.goOn.countDown();
      LocalCluster.await("what came after it", () -> waiting.calls.get() == 1);
    }
  }
}
