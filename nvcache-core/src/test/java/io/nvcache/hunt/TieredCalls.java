// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.Steps.ARGUMENT;
import static io.nvcache.hunt.Steps.NOTHING;
import static io.nvcache.hunt.Steps.NULL;
import static io.nvcache.hunt.Steps.or;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.tiered.DramValues;
import io.nvcache.tiered.TieredBlockCache;
import io.nvcache.tiered.TieredBlockCacheBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A separate tiered cache, from its building to its close and beyond. */
final class TieredCalls {
  static final int BLOCKS = 12;
  private static final int CALLS = 30;
  private static final int LENGTH = 64;

  private TieredCalls() {}

  static void round(World world) {
    round(world, new HostileLoader(world, false), null);
  }

  /** With a loader whose buffers are gone when they are read. */
  static void vanishing(World world) {
    round(world, new HostileLoader(world, true), null);
  }

  /** With an admission policy of the second tier that changes the cache it decides for. */
  static void policy(World world) {
    AtomicReference<TieredBlockCache> own = new AtomicReference<>();
    BlockCache second =
        Builds.small(world.random)
            .nativeMemory(Builds.CAPACITY)
            .maintainedByCaller()
            .admission(
                context ->
                    candidate -> {
                      TieredBlockCache cache = own.get();
                      if (cache != null) {
                        change(world, cache, candidate.fileId(), candidate.offset());
                      }
                      return AdmissionDecision.ADMIT;
                    })
            .build();
    round(world, new HostileLoader(world, false), second, own);
  }

  private static void change(World world, TieredBlockCache cache, long fileId, long offset) {
    switch (world.random.nextInt(8)) {
      case 0 -> {
        boolean unused = cache.invalidate(fileId, offset);
      }
      case 1 -> cache.invalidateFile(fileId);
      case 2 -> {
        OfferResult unused = cache.offer(fileId, offset, ByteBuffer.allocate(8), Source.FLUSH);
      }
      default -> {}
    }
  }

  private static void round(World world, HostileLoader loader, @Nullable BlockCache second) {
    round(world, loader, second, new AtomicReference<>());
  }

  private static void round(
      World world,
      HostileLoader loader,
      @Nullable BlockCache given,
      AtomicReference<TieredBlockCache> own) {
    boolean direct = world.random.nextBoolean();
    TieredBlockCacheBuilder builder =
        TieredBlockCache.builder(world.random.nextInt(3) * 8192L, loader)
            .dramValues(direct ? DramValues.DIRECT : DramValues.HEAP)
            .executor(
                world.random.nextInt(4) == 0
                    ? work -> {
                      throw new RejectedExecutionException("planted");
                    }
                    : Runnable::run);
    if (given != null) {
      builder.secondTier(given);
    } else if (world.random.nextInt(4) > 0) {
      builder.secondTier(
          Builds.small(world.random)
              .nativeMemory(Builds.CAPACITY)
              .maintainedByCaller()
              .admission(AdmissionPresets.admitAll())
              .build());
    }
    TieredBlockCache cache = world.steps.take("tiered.build", "", NOTHING, builder::build);
    if (cache == null) {
      return;
    }
    loader.of(cache);
    own.set(cache);
    for (int i = 0; i < CALLS && !loader.hasClosedTheCache(); i++) {
      call(world, cache, loader);
    }
    world.steps.act("tiered.close", "", NOTHING, cache::close);
    for (int i = 0; i < 6; i++) {
      call(world, cache, loader);
    }
    world.steps.act("tiered.offer", "closed", NOTHING, () -> requireClosed(world, cache));
    world.steps.act("tiered.close", "again", NOTHING, cache::close);
  }

  private static void requireClosed(World world, TieredBlockCache cache) {
    world.require(
        cache.offer(1, 0, ByteBuffer.allocate(8), Source.READ) == OfferResult.CLOSED,
        "took a block");
  }

  private static void call(World world, TieredBlockCache cache, HostileLoader loader) {
    long file = 1 + world.random.nextInt(3);
    long offset = world.random.nextInt(BLOCKS) * 512L;
    switch (world.random.nextInt(16)) {
      case 0 -> {
        loader.changed(file, offset);
        world.steps.act(
            "tiered.invalidate",
            file + " " + offset,
            NOTHING,
            () -> cache.invalidate(file, offset));
      }
      case 1 -> {
        loader.fileChanged(file);
        world.steps.act(
            "tiered.invalidateFile", "" + file, NOTHING, () -> cache.invalidateFile(file));
      }
      case 2 -> world.steps.act("tiered.stats", "", NOTHING, cache::stats);
      case 3 -> extremes(world, cache);
      case 4, 5 -> {
        byte[] truth = loader.truth(file, offset);
        HostileBuffer block = world.buffers().source(world.random, world, truth);
        boolean right = block.content() == truth || block.lacks(block.remaining());
        if (right) {
          world.steps.act(
              "tiered.offer",
              file + " " + offset + " " + block,
              or(block.kind().readFaults(), block.remaining() == 0 ? ARGUMENT : NOTHING),
              () -> cache.offer(file, offset, block.buffer(), Source.FLUSH));
        }
      }
      default -> get(world, cache, loader, file, offset);
    }
  }

  private static void extremes(World world, TieredBlockCache cache) {
    long extreme = world.extreme();
    Source source = world.source();
    Set<String> allowed = or(HostileLoader.FAULTS, ARGUMENT);
    world.steps.act(
        "tiered.get",
        extreme + " " + source,
        allowed,
        () -> cache.get(extreme, extreme, (int) Math.min(extreme, 8192), source));
    world.steps.act("tiered.offer", "null", NULL, () -> cache.offer(1, 0, null, Source.READ));
    world.steps.act(
        "tiered.invalidate", "" + extreme, ARGUMENT, () -> cache.invalidate(1, extreme));
    world.steps.act("tiered.get", "-1", ARGUMENT, () -> cache.get(1, -1, Source.READ));
  }

  private static void get(
      World world, TieredBlockCache cache, HostileLoader loader, long file, long offset) {
    int length =
        world.random.nextBoolean()
            ? loader.truth(file, offset).length
            : 1 + world.random.nextInt(1200);
    ByteBuffer block =
        world.steps.take(
            "tiered.get",
            file + " " + offset + " " + length,
            HostileLoader.FAULTS,
            () ->
                world.random.nextInt(3) == 0
                    ? cache.get(file, offset, Source.READ)
                    : cache.get(file, offset, length, Source.SCAN));
    if (block == null) {
      return;
    }
    world.require(block.isReadOnly(), "gave a writable view");
    byte[] bytes = new byte[block.remaining()];
    block.duplicate().get(bytes);
    byte[] truth = loader.truth(file, offset);
    world.require(Arrays.equals(bytes, truth), "WRONG BYTES");
    Relics.keep(world.relics().tiered, new Relics.Known(block, bytes), world.random);
  }

  /** The loader of one block asks for another, whose loader asks for the first. */
  static void crossLoads(World world) {
    CyclicBarrier both = new CyclicBarrier(2);
    AtomicInteger asked = new AtomicInteger();
    AtomicReference<TieredBlockCache> own = new AtomicReference<>();
    TieredBlockCache cache =
        TieredBlockCache.builder(
                1 << 20,
                (fileId, offset) -> {
                  if (asked.incrementAndGet() <= 4) {
                    meet(both);
                    requireLength(own.get().get(fileId, 1 - offset, Source.READ));
                  }
                  return ByteBuffer.wrap(Contents.of(fileId, offset, 0, LENGTH));
                })
            .build();
    own.set(cache);
    world.steps.act(
        "tiered.crossLoads",
        "",
        Steps.STATE, // A load that comes back to itself; what it must not do is wait.
        () ->
            world
                .partner()
                .beside(
                    () -> requireLength(cache.get(1, 0, Source.READ)),
                    () -> requireLength(cache.get(1, 1, Source.READ))));
    world.steps.act("tiered.close", "crossed", NOTHING, cache::close);
  }

  /** Waits until both are loaded, and no longer than that may take. */
  private static void meet(CyclicBarrier both) {
    try {
      int unused = both.await(50, TimeUnit.MILLISECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException alone) {
      both.reset();
    }
  }

  private static void requireLength(ByteBuffer block) throws IOException {
    if (block.remaining() != LENGTH) {
      throw new IOException("a block has " + block.remaining() + " bytes");
    }
  }
}
