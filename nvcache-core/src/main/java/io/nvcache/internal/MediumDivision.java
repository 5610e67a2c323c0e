// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.BlockPlacement;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Decides how a medium is divided among blocks, and makes it ready for what was asked for. */
final class MediumDivision {
  private static final Logger LOG = LoggerFactory.getLogger(MediumDivision.class);

  private final Medium medium;
  private final EngineSettings settings;

  MediumDivision(Medium medium, EngineSettings settings) {
    this.medium = medium;
    this.settings = settings;
  }

  /**
   * What is asked for.
   *
   * @param cut how to divide the medium; null for what suits its size
   * @param placement how to place blocks; null for what the medium likes
   * @param expectedBlockBytes the mean block; 0 for what suits the medium
   * @param maxBlockBytes the longest block; 0 for what suits the medium
   */
  record Wish(
      Sizing.@Nullable Cut cut,
      @Nullable BlockPlacement placement,
      int expectedBlockBytes,
      int maxBlockBytes) {}

  /** Returns the sizes of the medium's parts. */
  Sizing sizing(Wish wish) {
    long capacity = medium.capacityBytes();
    Sizing sizing;
    try {
      sizing = sizing(wish, capacity, medium.alignmentBytes());
      requireWholeRegions(sizing);
    } catch (IllegalArgumentException refusal) {
      throw settings.named(refusal);
    }
    if (!sizing.suitsLongestBlocks()) {
      LOG.warn(
          "{} is {}, more than 1/64 of the medium's {} bytes: blocks of mixed sizes will leave"
              + " much of it unused. Lower it to your longest block, best to {} or less, or raise"
              + " {}",
          settings.nameOf("maxBlockBytes"),
          sizing.maxBlockBytes(),
          capacity,
          Sizing.defaultMaxBlockBytes(capacity),
          settings.nameOf("capacityBytes"));
    }
    return sizing;
  }

  private Sizing sizing(Wish wish, long capacity, int alignment) {
    if (wish.cut != null) {
      return Sizing.of(wish.cut, capacity, alignment, wish.expectedBlockBytes, wish.maxBlockBytes);
    }
    Sizing regions = regionSizing(wish, capacity, alignment);
    return regions == null
        ? Sizing.of(capacity, alignment, wish.expectedBlockBytes, wish.maxBlockBytes)
        : regions;
  }

  /** Throws if the parts of several drives would not each lie on one. */
  private void requireWholeRegions(Sizing sizing) {
    if (medium.drives().count() == 1) {
      return;
    }
    if (sizing.cut() != Sizing.Cut.REGIONS) {
      throw new IllegalArgumentException(
          medium.describe()
              + " has several drives, on which blocks are placed in regions: raise the capacity or"
              + " lower maxBlockBytes, or name one path; to encrypt, give a key source");
    }
    if (sizing.extentBytes() != medium.regionBytes()) {
      throw new IllegalArgumentException(
          medium.describe()
              + " was opened for regions of "
              + medium.regionBytes()
              + " bytes, and blocks of up to "
              + sizing.maxBlockBytes()
              + " bytes need "
              + sizing.extentBytes()
              + ": open it for those, or lower maxBlockBytes");
    }
  }

  /**
   * Returns the sizes where blocks are appended to regions; null where they are placed in place.
   */
  private @Nullable Sizing regionSizing(Wish wish, long capacity, int alignment) {
    if (wish.placement == BlockPlacement.REGIONS && medium.readsWholeBlocks()) {
      throw new IllegalArgumentException(
          "blocks can't be placed in regions on "
              + medium.describe()
              + ", which reads nothing but what was written at once; place them IN_PLACE");
    }
    if (wish.placement == BlockPlacement.IN_PLACE
        || (wish.placement == null && medium.regionBytes() == 0)) {
      return null;
    }
    try {
      Sizing sizing =
          Sizing.ofRegions(
              capacity, regionBytes(), alignment, wish.expectedBlockBytes, wish.maxBlockBytes);
      return medium.drives().count() == 1 ? sizing : sizing.inRegionsOf(medium.regionBytes());
    } catch (IllegalArgumentException unsuitable) {
      if (wish.placement == BlockPlacement.REGIONS) {
        throw unsuitable;
      }
      LOG.warn(
          "blocks are placed in place on {}, where none outlives a restart: {}",
          medium.describe(),
          settings.named(unsuitable).getMessage());
      return null;
    }
  }

  private int regionBytes() {
    return medium.regionBytes() == 0 ? Sizing.MAX_REGION_BYTES : medium.regionBytes();
  }

  /**
   * Makes the medium ready to discard.
   *
   * @throws IllegalArgumentException if it can't
   */
  void prepareDiscards(Sizing sizing, long discardBytesPerSecond) {
    String asked =
        settings.nameOf("discardBytesPerSecond") + " is " + discardBytesPerSecond + ", and ";
    if (sizing.cut() != Sizing.Cut.REGIONS) {
      throw new IllegalArgumentException(
          asked
              + medium.describe()
              + " places blocks in place, where no regions come free; place them in regions, or"
              + " set it to 0");
    }
    try {
      medium.prepareDiscards();
    } catch (IOException e) {
      throw new IllegalArgumentException(asked + e.getMessage() + "; or set it to 0", e);
    }
  }

  /** Makes the medium ready to be encrypted; it may overwrite what an earlier cache left. */
  void prepareEncryption() {
    try {
      medium.prepareEncryption();
    } catch (IOException e) {
      throw new UncheckedIOException(e.getMessage(), e);
    }
  }
}
