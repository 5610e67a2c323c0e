// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.RacedCache.LENGTH;
import static io.nvcache.hunt.Steps.NOTHING;
import static io.nvcache.hunt.Steps.STATE;
import static io.nvcache.hunt.Steps.or;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.control.BlockWalk;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;

/** Calls while another thread closes, or uses, what they use. */
final class Races {
  private static final int CALLS = RacedCache.BLOCKS;

  private Races() {}

  /** The cache is closed, pins are closed, by another thread than uses them. */
  static void close(World world) {
    world.steps.act(
        "race.close",
        "",
        NOTHING,
        () -> {
          BlockCache cache = new RacedCache(world).cache;
          PinnedBlock[] pins = new PinnedBlock[CALLS];
          for (int i = 0; i < CALLS; i++) {
            pins[i] = cache.pin(1, i);
          }
          int delay = world.random.nextInt(2_000);
          world
              .partner()
              .beside(
                  () -> {
                    for (int i = 0; i < delay; i++) {
                      Thread.onSpinWait();
                    }
                    cache.close();
                    for (PinnedBlock pin : pins) {
                      if (pin != null) {
                        pin.close();
                      }
                    }
                  },
                  () -> useUntilClosed(world, cache, pins));
          world.require(cache.stats().pinnedBytes() == 0, "keeps pins");
        });
  }

  private static void useUntilClosed(World world, BlockCache cache, PinnedBlock[] pins) {
    ByteBuffer copy = ByteBuffer.allocate(LENGTH);
    OfferResult last = OfferResult.ADMITTED;
    while (last != OfferResult.CLOSED) {
      for (int i = 0; i < CALLS; i++) {
        world.steps.countMore(4);
        int length = cache.get(1, i, copy.clear());
        world.require(
            length == BlockCache.MISS || Arrays.equals(copy.array(), RacedCache.block(i)),
            "WRONG BYTES");
        usePin(world, pins[i], i, copy.clear());
        last = cache.offer(5, i, ByteBuffer.wrap(RacedCache.block(i)), Source.READ);
      }
      cache.invalidateFile(5);
      cache.control().maintain();
      boolean unused = cache.control().walk().next();
      world.require(
          cache.stats().lookups() >= 0 && cache.control().ledger() != null, "tells nothing");
    }
  }

  private static void usePin(World world, PinnedBlock pin, int i, ByteBuffer copy) {
    if (pin == null) {
      return;
    }
    try {
      pin.copyTo(copy);
      world.require(Arrays.equals(copy.array(), RacedCache.block(i)), "WRONG BYTES in a pin");
      long word = pin.getLong(8);
      world.require(
          word == ByteBuffer.wrap(RacedCache.block(i)).getLong(8), "WRONG BYTES in a pin");
    } catch (IllegalStateException closed) {
      world.steps.judge("a pin", closed, STATE);
    }
  }

  /** Not allowed, and yet: neither the JVM nor the cache may suffer. */
  static void sharedWalk(World world) {
    Set<String> allowed = or(STATE, Steps.BOUNDS);
    world.steps.act(
        "race.walk",
        "",
        NOTHING,
        () -> {
          try (RacedCache raced = new RacedCache(world)) {
            BlockCache cache = raced.cache;
            BlockWalk walk = cache.control().walk();
            world
                .partner()
                .beside(() -> walkOn(world, walk, allowed), () -> walkOn(world, walk, allowed));
            raced.requireWell();
          }
        });
  }

  private static void walkOn(World world, BlockWalk walk, Set<String> allowed) {
    ByteBuffer copy = ByteBuffer.allocate(LENGTH);
    for (int i = 0; i < 2 * CALLS; i++) {
      try {
        boolean unused = walk.next();
        int peeked = walk.peek(copy.clear());
        world.require(walk.lengthBytes() >= 0 && peeked <= LENGTH, "amiss");
      } catch (RuntimeException e) {
        world.steps.judge("a walk of two threads", e, allowed);
      }
    }
  }

  /** All else that a second thread may do to a cache that the hunt uses. */
  static void beside(World world) {
    Prey prey = world.prey();
    SplittableRandom dice = new SplittableRandom(world.random.nextLong());
    world.steps.act(
        "race.beside",
        prey.name,
        NOTHING,
        () ->
            world
                .partner()
                .beside(
                    () -> {
                      ByteBuffer any = ByteBuffer.allocate(Contents.MAX_LENGTH);
                      for (int i = 0; i < CALLS; i++) {
                        long offset = dice.nextInt(40) * 512L;
                        int got = prey.cache.get(1 + dice.nextInt(6), offset, any.clear());
                        prey.cache.control().settings().setMaxPinnedBytes(dice.nextInt(3) * 65536L);
                        prey.cache
                            .control()
                            .settings()
                            .setFullTarget(0.01 + dice.nextDouble() * 0.9);
                        boolean gone = prey.cache.invalidate(1 + dice.nextInt(6), offset);
                        world.require(
                            got <= Contents.MAX_LENGTH
                                && prey.cache.stats() != null
                                && (gone || !gone),
                            "amiss");
                      }
                    },
                    () -> {
                      for (int i = 0; i < CALLS; i++) {
                        CacheCalls.use(world);
                      }
                    }));
  }
}
