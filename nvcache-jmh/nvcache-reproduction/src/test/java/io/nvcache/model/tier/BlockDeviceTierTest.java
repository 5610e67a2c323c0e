// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.model.OneStep;
import io.nvcache.model.machine.Device;
import io.nvcache.model.machine.ModelMachine;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.testing.Seeds;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockDeviceTierTest {
  private static final int BLOCK_BYTES = ModelParameters.PAPER.blockBytes();
  private static final int BLOCKS = 300;

  private final ModelMachine machine =
      new ModelMachine(ModelParameters.PAPER, ModelParameters.PAPER.nvram());

  private BlockDeviceTier tier(String system) {
    return tier(system, machine);
  }

  private static BlockDeviceTier tier(String system, ModelMachine machine) {
    TierContext context =
        new TierContext(machine, 1000, (long) BLOCKS * BLOCK_BYTES, 0, 1, () -> 0, () -> 0);
    return (BlockDeviceTier) SystemsTest.named(system).tier(context);
  }

  private long writtenToDisk() {
    return blocksOf(machine.disk().second());
  }

  private static long blocksOf(Device.Line line) {
    return Math.round(line.total() / BLOCK_BYTES);
  }

  private void write(BlockDeviceTier tier, int place) {
    OneStep client = new OneStep();
    tier.write(place, client);
    client.settle(machine);
  }

  /** Whether the disk was read. */
  private boolean readsDisk(BlockDeviceTier tier, int place) {
    long before = blocksOf(machine.disk().first());
    OneStep client = new OneStep();
    tier.readBelow(place, client);
    client.settle(machine);
    return blocksOf(machine.disk().first()) > before;
  }

  @ParameterizedTest
  @ValueSource(strings = {"opencas-write-back", "opencas-write-only", "dm-writecache"})
  void shouldLoseNoBlockThatTheDiskHasNotGot(String system) {
    Seeds.each(5, random -> shouldLoseNone(system, random));
  }

  private static void shouldLoseNone(String system, Random random) {
    ModelMachine machine = new ModelMachine(ModelParameters.PAPER, ModelParameters.PAPER.nvram());
    try (BlockDeviceTier tier = tier(system, machine)) {
      Set<Integer> unwritten = new HashSet<>();
      long writes = 0;
      long overwritten = 0;
      for (int i = 0; i < 5_000; i++) {
        int place = random.nextInt(4 * BLOCKS);
        OneStep client = new OneStep();
        int lot = random.nextInt(100);
        if (lot < 50) {
          tier.readBelow(place, client);
        } else if (lot < 99) {
          writes++;
          overwritten += tier.isUnwritten(place) ? 1 : 0;
          tier.write(place, client);
        } else {
          tier.everySecond(client);
        }
        client.settle(machine);
      }
      for (int place = 0; place < 4 * BLOCKS; place++) {
        if (tier.isUnwritten(place)) {
          unwritten.add(place);
          assertThat(tier.forget(place)).as("unwritten block %d is in the cache", place).isTrue();
        }
      }
      assertThat(unwritten).hasSizeGreaterThan(BLOCKS / 10);
      assertThat(blocksOf(machine.disk().second()))
          .as("each version goes to the disk, but for those overwritten or still to be written")
          .isEqualTo(writes - overwritten - unwritten.size());
    }
  }

  @Test
  void shouldPayForAnUnwrittenBlockThatMakesRoom() {
    try (BlockDeviceTier tier = tier("opencas-write-back")) {
      for (int place = 0; place < BLOCKS / 2; place++) {
        write(tier, place);
      }
      assertThat(writtenToDisk()).isZero();
      for (int place = 0; place < 2 * BLOCKS; place++) {
        readsDisk(tier, 10_000 + place);
      }

      assertThat(tier.unwritten()).isZero();
      assertThat(writtenToDisk()).isEqualTo(BLOCKS / 2);
    }
  }

  @Test
  void shouldFillOnReadsButWriteAround() {
    try (BlockDeviceTier tier = tier("opencas")) {
      write(tier, 1);
      assertThat(readsDisk(tier, 1)).as("a write fills nothing").isTrue();
      assertThat(readsDisk(tier, 1)).as("a read does").isFalse();
      write(tier, 1);
      assertThat(readsDisk(tier, 1)).as("a write brings what is there up to date").isFalse();
      assertThat(writtenToDisk()).isEqualTo(2);
    }
  }

  @Test
  void shouldFillOnReadsAndWritesAndWriteThrough() {
    try (BlockDeviceTier tier = tier("opencas-write-through")) {
      write(tier, 1);
      assertThat(readsDisk(tier, 1)).isFalse();
      assertThat(readsDisk(tier, 2)).isTrue();
      assertThat(readsDisk(tier, 2)).isFalse();
      assertThat(writtenToDisk()).isEqualTo(1);
    }
  }

  @Test
  void shouldFillOnWritesOnly() {
    try (BlockDeviceTier tier = tier("opencas-write-only")) {
      assertThat(readsDisk(tier, 1)).isTrue();
      assertThat(readsDisk(tier, 1)).isTrue();
      write(tier, 2);
      assertThat(readsDisk(tier, 2)).isFalse();
      assertThat(writtenToDisk()).isZero();
    }
  }

  @Test
  void shouldCleanFromOneWatermarkToTheOtherInDmWritecache() {
    try (BlockDeviceTier tier = tier("dm-writecache")) {
      for (int place = 0; place < BLOCKS * 6 / 10; place++) {
        write(tier, place);
      }
      assertThat(writtenToDisk()).isZero();
      OneStep thread = new OneStep();
      for (int second = 0; second < 10; second++) {
        tier.everySecond(thread);
      }
      thread.settle(machine);

      assertThat(tier.unwritten()).isEqualTo((int) (0.45 * BLOCKS));
      assertThat(readsDisk(tier, 0)).as("what was cleaned stays").isFalse();
    }
  }
}
