// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.Restart;
import io.nvcache.internal.regions.RegionCipher;
import io.nvcache.internal.regions.RegionCodec;
import io.nvcache.internal.regions.RegionLayout;
import io.nvcache.internal.regions.Superblock;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.DriveSet;
import io.nvcache.medium.Durability;
import io.nvcache.medium.KeySource;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identity of the cache that writes the superblocks of a medium, and of the one before.
 *
 * @param instance of the cache; of the earlier one, if there is one
 * @param hashSeed of the index
 * @param previous what the earlier cache left; null if there is none
 * @param reason why there is none; empty if there is one
 * @param codec seals blocks and footers, or does not
 */
public record RestartIdentity(
    UUID instance, long hashSeed, @Nullable Superblock previous, String reason, RegionCodec codec) {
  private static final Logger LOG = LoggerFactory.getLogger(RestartIdentity.class);

  /**
   * Superblocks are written to all drives before the next ones are: some may lack the last ones.
   */
  private static final int MOST_BEHIND = 4;

  /**
   * Returns who is to write the medium's superblocks, and after whom; null if the next cache is to
   * find nothing. Then the medium forgets what an earlier cache left on it.
   *
   * @param freshSeed of the index, if there is no earlier cache
   * @param keys wrap the key that blocks are sealed with; null if they are not sealed
   * @throws IllegalArgumentException if the restart is to be warm, and can't be
   * @throws UncheckedIOException if no key can be wrapped
   */
  public static @Nullable RestartIdentity identify(
      Medium medium,
      Sizing sizing,
      long freshSeed,
      @Nullable Restart restart,
      @Nullable KeySource keys) {
    boolean keeps = medium.durability() != Durability.NONE && medium.regionBytes() > 0;
    boolean regions = sizing.cut() == Sizing.Cut.REGIONS;
    if (restart == Restart.WARM && !(keeps && regions)) {
      throw new IllegalArgumentException(
          medium.describe()
              + (keeps
                  ? " places blocks in place, where they can't be found again; place them in"
                      + " regions, or restart cold"
                  : " does not open with what an earlier cache wrote; use flash, or restart cold"));
    }
    if (keeps && regions && restart != Restart.COLD) {
      return identify(medium, sizing, freshSeed, keys);
    }
    if (keeps && !medium.readsWholeBlocks()) {
      try {
        forget(medium);
      } catch (IOException | RuntimeException | InternalError e) {
        LOG.warn(
            "can't have {} forget what an earlier cache left on it: don't start warm on it again"
                + " before it was wiped",
            medium.describe(),
            e);
      }
    }
    return null;
  }

  private static RestartIdentity identify(
      Medium medium, Sizing sizing, long freshSeed, @Nullable KeySource keys) {
    Superblock.Geometry geometry = Superblock.Geometry.of(sizing, medium.alignmentBytes());
    String fault;
    try {
      SuperblockReader.Found found =
          medium.drives().origins() == 0
              ? SuperblockReader.read(medium::read, its -> unlike(its, geometry), keys)
              : newest(medium.drives(), geometry, keys);
      Superblock newest = found.superblock();
      fault = found.fault();
      if (newest != null && newest.isSealed() != (keys != null)) {
        fault = newest.isSealed() ? "it is encrypted, and no key was given" : "it is in the clear";
      }
      if (newest != null && fault.isEmpty()) {
        return new RestartIdentity(newest.instance(), newest.hashSeed(), newest, "", found.codec());
      }
    } catch (IOException | RuntimeException | InternalError failure) {
      fault = "its superblock can't be read: " + failure;
    }
    RegionCodec codec = fresh(keys, geometry.regions());
    return new RestartIdentity(UUID.randomUUID(), freshSeed, null, fault, codec);
  }

  /** Returns what the drive says that knows most; those that know much less do not count. */
  private static SuperblockReader.Found newest(
      DriveSet drives, Superblock.Geometry geometry, @Nullable KeySource keys) {
    List<SuperblockReader.Found> all = new ArrayList<>();
    for (int i = 0; i < drives.origins(); i++) {
      int origin = i;
      try {
        all.add(
            SuperblockReader.read(
                (offset, dst, position, length) ->
                    drives.readOrigin(origin, offset, dst, position, length),
                its -> unlike(its, geometry),
                keys));
      } catch (IOException | RuntimeException | InternalError failure) {
        String fault = "its superblock can't be read: " + failure;
        all.add(new SuperblockReader.Found(null, RegionCodec.CLEAR, fault));
      }
    }
    SuperblockReader.Found newest = all.get(0);
    for (SuperblockReader.Found found : all) {
      if (sequence(found) > sequence(newest)) {
        newest = found;
      }
    }
    Superblock best = newest.superblock();
    for (int origin = all.size() - 1; origin >= 0 && sequence(newest) > 0; origin--) {
      Superblock its = all.get(origin).superblock();
      boolean isBehind =
          its == null
              || best == null
              || !its.instance().equals(best.instance())
              || sequence(all.get(origin)) < best.sequence() - MOST_BEHIND;
      if (isBehind) {
        drives.distrust(origin);
      }
    }
    return newest;
  }

  private static long sequence(SuperblockReader.Found found) {
    Superblock its = found.superblock();
    return its == null || !found.fault().isEmpty() ? -1 : its.sequence();
  }

  private static String unlike(Superblock.Geometry its, Superblock.Geometry geometry) {
    return its.equals(geometry) ? "" : "it was written as " + its + ", and is now " + geometry;
  }

  private static RegionCodec fresh(@Nullable KeySource keys, int regions) {
    try {
      return keys == null ? RegionCodec.CLEAR : RegionCipher.fresh(keys, regions);
    } catch (IOException e) {
      throw new UncheckedIOException("can't wrap a key for the cache: " + e.getMessage(), e);
    }
  }

  /** Of what is damaged, or can't be read, the next cache may read more. */
  private static void forget(Medium medium) throws IOException {
    if (isBlank(medium)) {
      return;
    }
    try {
      wipe(medium);
    } catch (IOException | RuntimeException | InternalError once) {
      wipe(medium); // Or a single error would bring back what this cache is to replace.
    }
  }

  private static boolean isBlank(Medium medium) {
    if (medium.drives().count() > 1) {
      return false; // Each has its own, of which one is looked at.
    }
    ByteBuffer copies = ByteBuffer.allocate(RegionLayout.SUPERBLOCKS_BYTES);
    try {
      medium.read(0, copies, 0, copies.capacity());
    } catch (IOException | RuntimeException | InternalError unreadable) {
      return false;
    }
    return copies.clear().equals(ByteBuffer.allocate(copies.capacity()));
  }

  private static void wipe(Medium medium) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate(RegionLayout.SUPERBLOCKS_BYTES);
    medium.write(0, zeros, 0, zeros.capacity());
    medium.persist(0, zeros.capacity());
  }
}
