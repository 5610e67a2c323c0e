// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.RacedCache.LENGTH;
import static io.nvcache.hunt.Steps.NOTHING;
import static io.nvcache.hunt.Steps.STATE;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.control.BlockWalk;
import io.nvcache.testing.ArenaBuffer;
import java.lang.reflect.InvocationTargetException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/** Calls while another thread does to their buffers what it should not. */
final class BufferRaces {
  private static final int CALLS = RacedCache.BLOCKS;
  private static final Set<String> FAULT = Set.of("InternalError");

  /** What a buffer that another thread moves may bring about. */
  private static final Set<String> MOVED =
      Set.of(
          "BufferOverflowException",
          "BufferUnderflowException",
          "IllegalArgumentException",
          "IndexOutOfBoundsException");

  private BufferRaces() {}

  /** One round of the calls that take a buffer; false once it is gone. */
  private static boolean calls(
      World world, BlockCache cache, ByteBuffer buffer, Set<String> allowed, boolean known) {
    try {
      for (long offset = 0; offset < CALLS; offset++) {
        world.steps.countMore(buffer.isReadOnly() ? 1 : 6);
        if (offset % 2 == 0) {
          OfferResult result = cache.offer(2, offset, buffer, Source.READ);
          if (result == OfferResult.ADMITTED && known) {
            requireUniform(world, cache, offset);
          }
        }
        if (!buffer.isReadOnly()) {
          int got = cache.get(1, offset, buffer.duplicate());
          int part = cache.getRange(1, offset, 100, buffer.duplicate());
          world.require(got <= LENGTH && part <= LENGTH, "gave " + got + ", " + part);
          try (PinnedBlock pin = cache.pin(1, offset)) {
            if (pin != null) {
              pin.copyTo(buffer.duplicate());
            }
          }
          BlockWalk walk = cache.control().walk();
          if (walk.next()) {
            int peeked = walk.peek(buffer.duplicate());
            world.require(peeked <= LENGTH, "peeked " + peeked);
          }
        }
      }
      return true;
    } catch (Finding finding) {
      throw finding;
    } catch (Throwable e) {
      world.steps.judge("a call in a race", e, allowed);
      return false;
    }
  }

  /** What was admitted of a buffer of ones is ones. */
  private static void requireUniform(World world, BlockCache cache, long offset) {
    ByteBuffer copy = ByteBuffer.allocate(Contents.MAX_LENGTH);
    int length = cache.get(2, offset, copy);
    for (int i = 0; i < length; i++) {
      world.require(copy.get(i) == 1, "WRONG BYTES were admitted");
    }
  }

  static void arena(World world) {
    if (!Buffers.ARENAS) {
      return;
    }
    boolean readOnly = world.random.nextBoolean();
    world.steps.act(
        "race.arena",
        "" + readOnly,
        NOTHING,
        () -> {
          try (RacedCache raced = new RacedCache(world)) {
            BlockCache cache = raced.cache;
            ArenaBuffer arena = new ArenaBuffer(256 << 10);
            ByteBuffer memory = arena.buffer().limit(LENGTH);
            ByteBuffer buffer = readOnly ? memory.asReadOnlyBuffer() : memory;
            int delay = world.random.nextInt(20_000);
            world
                .partner()
                .beside(
                    () -> closeArena(arena, delay),
                    () -> {
                      while (calls(world, cache, buffer, STATE, false)) {
                        Thread.onSpinWait();
                      }
                    });
            raced.requireWell();
          }
        });
  }

  private static void closeArena(ArenaBuffer arena, int delay) throws Exception {
    for (int i = 0; i < delay; i++) {
      Thread.onSpinWait();
    }
    while (true) {
      try {
        arena.close();
        return;
      } catch (InvocationTargetException e) {
        Thread.onSpinWait(); // Somebody reads it just now.
      }
    }
  }

  static void mapping(World world) {
    Path file = world.newFile();
    boolean readOnly = world.random.nextBoolean();
    world.steps.act(
        "race.mapping",
        "" + readOnly,
        NOTHING,
        () -> {
          try (RacedCache raced = new RacedCache(world)) {
            BlockCache cache = raced.cache;
            ByteBuffer mapping = Buffers.toBeCut(file);
            if (readOnly) {
              byte[] ones = new byte[mapping.capacity()];
              Arrays.fill(ones, (byte) 1);
              mapping.put(0, ones);
            }
            // Across a page that is gone and one that stays.
            mapping.position(4096 - 1000).limit(4096 - 1000 + LENGTH);
            ByteBuffer buffer = readOnly ? mapping.asReadOnlyBuffer() : mapping;
            int delay = world.random.nextInt(20_000);
            AtomicBoolean cut = new AtomicBoolean();
            world
                .partner()
                .beside(
                    () -> {
                      for (int i = 0; i < delay; i++) {
                        Thread.onSpinWait();
                      }
                      Buffers.cutNow(file);
                      cut.set(true);
                    },
                    () -> {
                      boolean last = false;
                      while (calls(world, cache, buffer, FAULT, readOnly) && !last) {
                        last = cut.get();
                        cache.invalidateFile(2);
                        cache.control().maintain();
                      }
                    });
            raced.requireWell();
          } finally {
            Files.deleteIfExists(file);
          }
        });
  }

  /** A heap buffer; of direct ones the documentation says what they may do to blocks' checksums. */
  static void moved(World world) {
    world.steps.act(
        "race.moved",
        "",
        NOTHING,
        () -> {
          try (RacedCache raced = new RacedCache(world)) {
            BlockCache cache = raced.cache;
            byte[] around = new byte[3 * LENGTH];
            ByteBuffer buffer = ByteBuffer.wrap(around, LENGTH, LENGTH).slice();
            SplittableRandom dice = new SplittableRandom(world.random.nextLong());
            AtomicBoolean done = new AtomicBoolean();
            world
                .partner()
                .beside(
                    () -> {
                      while (!done.get()) {
                        buffer.clear().limit(dice.nextInt(LENGTH + 1));
                        buffer.position(dice.nextInt(buffer.limit() + 1));
                      }
                    },
                    () -> {
                      for (int i = 0; i < 20; i++) {
                        boolean unused = movedCalls(world, cache, buffer);
                      }
                      done.set(true);
                    });
            for (int i = 0; i < LENGTH; i++) {
              world.require(around[i] == 0 && around[2 * LENGTH + i] == 0, "wrote outside");
            }
            raced.requireWell();
          }
        });
  }

  private static boolean movedCalls(World world, BlockCache cache, ByteBuffer buffer) {
    try {
      for (long offset = 0; offset < CALLS; offset++) {
        world.steps.countMore(5);
        try (PinnedBlock pin = cache.pin(1, offset)) {
          if (pin != null && offset % 4 == 0) {
            pin.copyTo(buffer);
          }
        }
        int got = cache.get(1, offset, buffer);
        int part = cache.getRange(1, offset, 7, buffer);
        OfferResult result = cache.offer(3, offset, buffer, Source.READ);
        OfferResult lazy = cache.offer(4, offset, LENGTH / 2, () -> buffer, Source.READ);
        world.require(got + part < 2 * LENGTH + 1 && result != null && lazy != null, "amiss");
        BlockWalk walk = cache.control().walk();
        if (walk.next()) {
          int peeked = walk.peek(buffer);
          world.require(peeked <= LENGTH, "peeked " + peeked);
        }
      }
      return true;
    } catch (Finding finding) {
      throw finding;
    } catch (Throwable e) {
      world.steps.judge("a call with a buffer that moves", e, MOVED);
      return false;
    }
  }

  /** One thread reads into what the other one offers from. */
  static void overlapping(World world) {
    boolean direct = world.random.nextBoolean();
    world.steps.act(
        "race.overlapping",
        "" + direct,
        NOTHING,
        () -> {
          try (RacedCache raced = new RacedCache(world)) {
            BlockCache cache = raced.cache;
            ByteBuffer memory =
                direct ? ByteBuffer.allocateDirect(2 * LENGTH) : ByteBuffer.allocate(2 * LENGTH);
            world
                .partner()
                .beside(
                    () -> {
                      for (long i = 0; i < CALLS; i++) {
                        ByteBuffer src = memory.slice((int) (i * 7), LENGTH);
                        OfferResult unused = cache.offer(6, i, src, Source.READ);
                      }
                    },
                    () -> {
                      for (int i = 0; i < CALLS; i++) {
                        world.steps.countMore(2);
                        int got = cache.get(1, i, memory.slice(i * 11, LENGTH));
                        world.require(got == BlockCache.MISS || got == LENGTH, "gave " + got);
                      }
                    });
            raced.requireWell();
          }
        });
  }
}
