// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.Checksum;
import io.nvcache.DebugCheck;
import io.nvcache.PolicyPreset;
import io.nvcache.TestHook;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.EncryptedMedium;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Builds the caches that are hunted: small ones, each another. */
final class Builds {
  static final int CAPACITY = 512 << 10;

  /** The kind of media that another module makes. */
  private static final int OTHERS = -1;

  private Builds() {}

  static BlockCacheBuilder small(Random random) {
    return BlockCache.builder()
        .maxBlockBytes(Contents.MAX_LENGTH)
        .expectedBlockBytes(random.nextBoolean() ? 512 : 4096)
        .testing(TestHook.hashSeed(random.nextLong()))
        .smallBypassDramBytes(0)
        .overheadTarget(10)
        // Nothing hangs here, but the machine may be busy.
        .mediumStuckAfter(Duration.ofMinutes(30));
  }

  /** A cache of some kind, with what it needs to be judged. */
  static Prey prey(World world) throws Exception {
    Random random = world.random;
    BlockCacheBuilder builder = small(random);
    HuntClock clock = new HuntClock();
    boolean background = random.nextInt(8) == 0;
    if (!background) {
      builder.maintainedByCaller().testing(TestHook.nanoTime(clock));
    }
    if (random.nextBoolean()) {
      builder.checksum(random.nextBoolean() ? Checksum.CRC32C : Checksum.NONE);
    }
    if (random.nextInt(4) == 0) {
      builder.testing(
          TestHook.debug(DebugCheck.values()[random.nextInt(DebugCheck.values().length)]));
    }
    if (random.nextInt(4) == 0) {
      builder.maxPinnedBytes(random.nextInt(3) * 8192L);
    }
    if (random.nextInt(12) == 0) {
      builder.registerMBean("hunt \"*?\n," + world.nextNumber());
    }
    Medium medium = null;
    Path file = null;
    int kind = random.nextInt(12);
    MediumMaker maker = world.maker();
    if (maker != null) {
      kind = OTHERS;
      medium = maker.make(world.newFile(), CAPACITY);
    }
    switch (kind) {
      case OTHERS -> {}
      case 0, 1 -> builder.nativeMemory(CAPACITY);
      case 2 -> builder.nativeMemory(CAPACITY).encrypted();
      case 3, 4, 5 -> {
        file = world.newFile();
        medium = MappedFileMedium.create(file, CAPACITY, world.atClose());
      }
      case 6 -> {
        file = world.newFile();
        builder.mappedFile(file, CAPACITY);
      }
      case 7 -> medium = EncryptedMedium.over(NativeMedium.allocate(CAPACITY));
      case 8 -> medium = new HostileMedium(CAPACITY, random, -1);
      default -> medium = NativeMedium.allocate(CAPACITY);
    }
    if (medium != null) {
      builder.medium(medium);
      world.relics().media.add(medium);
    }
    HostilePolicies policies = policies(world, builder);
    BlockCache cache = world.steps.take("build", "kind " + kind, Steps.NOTHING, builder::build);
    if (cache == null) {
      throw new Finding("nothing was built");
    }
    boolean hostile = medium instanceof HostileMedium;
    Prey prey =
        new Prey(
            "c" + world.nextNumber() + "/" + kind + (background ? "b" : ""),
            cache,
            medium,
            clock,
            background,
            !hostile,
            policies == null && !hostile);
    if (policies != null) {
      policies.arm(prey);
    }
    if (medium instanceof HostileMedium its) {
      its.arm();
    }
    if (file != null) {
      world.fileOf(prey, file);
    }
    return prey;
  }

  /** Mostly sound ones; null for those. */
  private static @Nullable HostilePolicies policies(World world, BlockCacheBuilder builder) {
    Random random = world.random;
    int which = random.nextInt(8);
    if (which < 4) {
      builder
          .admission(
              context -> {
                world.relics().keep(context);
                return AdmissionPresets.admitAll().create(context);
              })
          .eviction(
              context -> {
                world.relics().keep(context);
                return HostilePolicies.honest(context, which);
              });
      return null;
    }
    if (which < 6) {
      builder.policies(PolicyPreset.values()[random.nextInt(PolicyPreset.values().length)]);
      return null;
    }
    HostilePolicies policies =
        new HostilePolicies(world, Mischief.values()[random.nextInt(Mischief.values().length)]);
    builder.admission(policies::admission).eviction(policies::eviction);
    return policies;
  }
}
