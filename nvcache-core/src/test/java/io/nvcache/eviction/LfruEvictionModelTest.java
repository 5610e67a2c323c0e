// SPDX-License-Identifier: Apache-2.0
package io.nvcache.eviction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ArrayMarks;
import io.nvcache.testing.MutableSettings;
import io.nvcache.testing.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The same blocks in the same order as {@link NaiveLfru}, over random histories. */
class LfruEvictionModelTest {
  private static final int STREAMS = 250;
  private static final int STEPS = 500;

  @Test
  void shouldEvictTheSameBlocksInTheSameOrderAsANaiveModel() {
    int[] evicted = new int[1];
    Seeds.each(
        STREAMS,
        random -> {
          Stream stream = new Stream(random);
          for (int step = 0; step < STEPS; step++) {
            stream.step();
          }
          stream.lfru.close();
          evicted[0] += stream.evicted;
        });
    // The streams do reach the rules they are to test.
    assertThat(evicted[0]).isGreaterThan(10 * STREAMS);
  }

  private static final class Stream implements Sweep {
    private final Random random;
    private final MutableSettings settings = new MutableSettings();
    private final NaiveLfru model = new NaiveLfru();
    private final LfruEviction lfru;
    private final long capacityBytes;
    private final int slots;

    /** Evictions that overhead allows in one sweep. */
    private int allowed = Integer.MAX_VALUE;

    /** Bytes as the policy sees them; the model may have evicted already. */
    private long usedBytes;

    private final List<Integer> evictedNow = new ArrayList<>();
    private int evicted;

    Stream(Random random) {
      this.random = random;
      this.slots = 1 + random.nextInt(40);
      this.capacityBytes = 10L * slots;
      this.lfru =
          new LfruEviction(new EvictionContext(slots, new ArrayMarks(slots), settings, () -> 0));
      settings.setEvictionWindow(Duration.ofSeconds(1 + random.nextInt(30)));
    }

    void step() {
      int slot = random.nextInt(slots);
      NaiveLfru.Block block = model.blocks.get(slot);
      switch (random.nextInt(12)) {
        case 0, 1, 2, 3 -> admit(slot, block);
        case 4 -> {
          if (random.nextInt(8) == 0) {
            remove(slot, block);
          }
        }
        case 5, 6 -> hit(slot, block, 1 + random.nextInt(4));
        case 7 -> hit(slot, block, random.nextInt(random.nextInt(50) == 0 ? 1_200 : 60));
        case 8 -> {
          if (block != null) {
            block.pinned = random.nextInt(6) == 0;
          }
        }
        case 9 -> change();
        default -> {
          int sweeps = 1 + random.nextInt(random.nextInt(30) == 0 ? 1_000 : 20);
          for (int i = 0; i < sweeps; i++) {
            sweep();
          }
        }
      }
    }

    private void change() {
      switch (random.nextInt(3)) {
        case 0 -> settings.setEvictionWindow(Duration.ofSeconds(1 + random.nextInt(30)));
        case 1 -> settings.setFullTarget((1 + random.nextInt(20)) / 20.0);
        default -> allowed = random.nextInt(3) == 0 ? random.nextInt(4) : Integer.MAX_VALUE;
      }
    }

    private void admit(int slot, NaiveLfru.Block block) {
      if (block == null) {
        NaiveLfru.Block admitted = new NaiveLfru.Block(1 + random.nextInt(10));
        model.blocks.put(slot, admitted);
        usedBytes += admitted.sizeBytes;
        lfru.onAdmit(slot);
      }
    }

    private void remove(int slot, NaiveLfru.Block block) {
      if (block != null) {
        model.blocks.remove(slot);
        usedBytes -= block.sizeBytes;
        lfru.onRemove(slot);
      }
    }

    private void hit(int slot, NaiveLfru.Block block, int times) {
      for (int i = 0; i < times; i++) {
        lfru.onHit(slot);
        if (block != null) {
          block.hit();
        }
      }
    }

    private void sweep() {
      // The policy goes first: it asks for blocks that the model still holds.
      evictedNow.clear();
      lfru.sweep(this);
      long fullBytes = (long) (capacityBytes * settings.fullTarget());
      List<Integer> expected =
          model.sweep(
              settings.evictionWindow().toSeconds(), fullBytes, evictions -> evictions >= allowed);
      assertThat(evictedNow).isEqualTo(expected);
      assertThat(usedBytes).isEqualTo(model.usedBytes());
      evicted += expected.size();
    }

    @Override
    public long usedBytes() {
      return usedBytes;
    }

    @Override
    public long capacityBytes() {
      return capacityBytes;
    }

    @Override
    public boolean mayEvict() {
      return evictedNow.size() < allowed;
    }

    @Override
    public boolean pinned(int slot) {
      return model.blocks.get(slot).pinned;
    }

    @Override
    public boolean evict(int slot) {
      evictedNow.add(slot);
      usedBytes -= model.blocks.get(slot).sizeBytes;
      lfru.onRemove(slot);
      return true;
    }
  }
}
