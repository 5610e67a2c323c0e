// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.Steps.ARGUMENT;
import static io.nvcache.hunt.Steps.NOTHING;
import static io.nvcache.hunt.Steps.NULL;
import static io.nvcache.hunt.Steps.PLANTED;
import static io.nvcache.hunt.Steps.STATE;
import static io.nvcache.hunt.Steps.or;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.DebugCheck;
import io.nvcache.TestHook;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.NativeMedium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Builders: odd options, builds that fail, builds that come twice. */
final class BuilderCalls {
  private static final Set<String> ARGUMENT_OR_NULL = or(ARGUMENT, NULL);

  private BuilderCalls() {}

  static void options(World world) {
    BlockCacheBuilder builder = Builds.small(world.random).maintainedByCaller();
    for (int i = 0; i < 6; i++) {
      int which = world.random.nextInt(22);
      long extreme = world.extreme();
      double ratio = SideCalls.ratio(world);
      @Nullable Duration duration = SideCalls.duration(world);
      world.steps.act(
          "option",
          which + " " + extreme + " " + ratio + " " + duration,
          ARGUMENT_OR_NULL,
          () -> option(builder, which, extreme, ratio, duration));
    }
    if (world.random.nextInt(3) == 0) {
      builder.nativeMemory(Builds.CAPACITY);
    }
    // What the options say together may not do, and is said; what is built works.
    BlockCache cache =
        world.steps.take(
            "build", "odd options", or(ARGUMENT, Set.of("OutOfMemoryError")), builder::build);
    if (cache != null) {
      world.steps.act("close", "odd options", NOTHING, cache::close);
    }
  }

  private static void option(
      BlockCacheBuilder builder,
      int which,
      long extreme,
      double ratio,
      @Nullable Duration duration) {
    switch (which) {
      case 0 -> builder.expectedBlockBytes((int) extreme);
      case 1 -> builder.maxBlockBytes((int) extreme);
      case 2 -> builder.maxPinnedBytes(extreme);
      case 3 -> builder.mediumBackOff(duration);
      case 4 -> builder.mediumStuckAfter(duration);
      case 5 -> builder.evictionWindow(duration);
      case 6 -> builder.overheadTarget(ratio);
      case 7 -> builder.fullTarget(ratio);
      case 8 -> builder.smallBypassFraction(ratio);
      case 9 -> builder.smallBypassDramBytes(extreme);
      case 10 -> builder.writeLimitBytesPerDay(extreme);
      case 11 -> builder.writeLimitBytesPerSecond(extreme);
      case 19 -> builder.driveWritesPerDay(ratio);
      case 20 -> builder.discardBytesPerSecond(extreme);
      case 12 -> builder.maxMediumFailures((int) extreme);
      case 13 -> builder.testing(TestHook.debug((DebugCheck[]) null));
      case 14 -> builder.testing(TestHook.debug(DebugCheck.CHECK_INDEX, DebugCheck.CHECK_INDEX));
      case 15 -> builder.shadows(ratio, ratio > 0.4 ? "live*2" : null);
      case 16 -> builder.medium(null);
      case 17 -> builder.testing(TestHook.nanoTime(() -> extreme));
      case 18 -> builder.registerMBean(ratio > 0 ? null : " ");
      default -> builder.nativeMemory(extreme > 1 << 20 && extreme < 1L << 50 ? 1 << 20 : extreme);
    }
  }

  static void twice(World world) {
    BlockCacheBuilder builder = Builds.small(world.random).nativeMemory(Builds.CAPACITY);
    if (world.random.nextBoolean()) {
      builder.maintainedByCaller();
    }
    BlockCache cache = world.steps.take("build", "first", NOTHING, builder::build);
    world.steps.act("build", "second", STATE, builder::build);
    world.require(world.steps.thrown() != null, "built twice");
    world.steps.act("option", "after build", NOTHING, () -> builder.maxPinnedBytes(0));
    if (cache != null) {
      world.steps.act("close", "built twice", NOTHING, cache::close);
    }
    world.steps.act("build", "third", STATE, builder::build);
  }

  /** A policy of two caches, or none, or one that is closed. */
  static void policies(World world) {
    EvictionPolicy[] shared = new EvictionPolicy[1];
    BlockCacheBuilder first =
        Builds.small(world.random)
            .nativeMemory(Builds.CAPACITY)
            .maintainedByCaller()
            .eviction(
                context -> {
                  shared[0] = HostilePolicies.honest(context, world.random.nextInt(4));
                  return shared[0];
                });
    BlockCache cache = world.steps.take("build", "with a policy", NOTHING, first::build);
    if (cache == null) {
      return;
    }
    world.steps.act("policy.close", "under its cache", STATE, shared[0]::close);
    // One without memory has nothing to be closed; the cache continues with it in either case.
    world.steps.act("build", "with the same", STATE, () -> withEviction(world, shared[0]));
    world.require(world.steps.thrown() != null, "built with another cache's policy");
    world.steps.act("close", "with a policy", NOTHING, cache::close);
    world.steps.act("build", "with the ended", STATE, () -> withEviction(world, shared[0]));
    world.steps.act("policy.onHit", "ended", or(STATE, Steps.BOUNDS), () -> shared[0].onHit(0));
    world.steps.act("policy.victim", "ended", or(STATE, Steps.BOUNDS), shared[0]::victim);
    world.steps.act("policy.close", "again", NOTHING, shared[0]::close);
    world.steps.act("build", "with none", NULL, () -> withEviction(world, null));
  }

  private static void withEviction(World world, @Nullable EvictionPolicy policy) {
    Builds.small(world.random)
        .nativeMemory(Builds.CAPACITY)
        .maintainedByCaller()
        .eviction(context -> policy)
        .build()
        .close();
  }

  /** Builds that fail late, when there is something to be left behind. */
  static void failing(World world) {
    HostileMedium medium =
        new HostileMedium(
            Builds.CAPACITY, world.random, world.random.nextInt(HostileMedium.LIES + 4));
    AtomicInteger made = new AtomicInteger();
    int failAt = world.random.nextInt(4);
    boolean error = world.random.nextBoolean();
    BlockCacheBuilder builder =
        Builds.small(world.random)
            .medium(medium)
            .eviction(
                context -> {
                  if (made.getAndIncrement() == failAt) {
                    if (error) {
                      throw Planted.error();
                    }
                    throw Planted.exception();
                  }
                  return new FifoEviction(context);
                });
    if (world.random.nextBoolean()) {
      builder.shadows(0.5);
    }
    if (world.random.nextBoolean()) {
      builder.maintainedByCaller();
    }
    BlockCache cache =
        world.steps.take(
            "build",
            "failing, lie, policy " + failAt,
            or(or(PLANTED, ARGUMENT_OR_NULL), or(STATE, Steps.BOUNDS)),
            builder::build);
    if (cache != null) {
      medium.arm();
      world.steps.act(
          "failing.use",
          "",
          NOTHING,
          () -> {
            java.nio.ByteBuffer block = java.nio.ByteBuffer.allocate(512);
            for (int i = 0; i < 300; i++) {
              cache.offer(1, i, block, io.nvcache.Source.READ);
              cache.get(1, i, block.clear());
              block.clear();
            }
            cache.control().maintain();
          });
      world.steps.act("close", "failing", NOTHING, cache::close);
    }
    world.require(medium.closes() == 1, "closed its medium " + medium.closes() + " times");
  }

  /** A build that fails keeps no file from the next. */
  static void failingFile(World world) {
    Path file = world.newFile();
    Set<String> allowed = or(PLANTED, NULL);
    int how = world.random.nextInt(3);
    world.steps.act(
        "build",
        "failing over a file " + how,
        allowed,
        () ->
            Builds.small(world.random)
                .mappedFile(file, Builds.CAPACITY)
                .admission(
                    context -> {
                      if (how == 0) {
                        throw Planted.error();
                      }
                      if (how == 1) {
                        throw Planted.mute();
                      }
                      return null;
                    })
                .build());
    world.steps.act(
        "build",
        "over the same file",
        NOTHING,
        () ->
            Builds.small(world.random)
                .mappedFile(file, Builds.CAPACITY)
                .maintainedByCaller()
                .build()
                .close());
    world.steps.act("delete", "", NOTHING, () -> java.nio.file.Files.deleteIfExists(file));
    NativeMedium medium = NativeMedium.allocate(1024);
    world.steps.act(
        "build", "too small", ARGUMENT, () -> Builds.small(world.random).medium(medium).build());
    MediumCalls.ended(world, medium);
  }
}
