// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import io.nvcache.OfferResult;
import io.nvcache.control.DataSet;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.internal.space.Sizing;
import io.nvcache.stats.BinaryUnits;
import io.nvcache.stats.RefusedOffers;
import java.util.OptionalLong;

/**
 * Says in words why nothing that was offered is taken: the counts by reason; and, where a setting
 * is the most common reason, its arithmetic and the remedy, in the {@linkplain
 * EngineSettings#nameOf names} that the operator knows.
 */
public final class BypassReason {
  private final EngineSettings settings;
  private final DataSet dataSet;
  private final LocationCodec locations;

  public BypassReason(EngineSettings settings, DataSet dataSet, LocationCodec locations) {
    this.settings = settings;
    this.dataSet = dataSet;
    this.locations = locations;
  }

  /** Returns whether a setting makes the cache refuse for this reason. */
  static boolean isBySetting(OfferResult commonest) {
    return commonest == OfferResult.BYPASSED_SMALL || commonest == OfferResult.TOO_LARGE;
  }

  /** Returns whether such refusals are choices between blocks and no sign of a bypass. */
  static boolean isByWorth(OfferResult commonest) {
    return commonest == OfferResult.NOT_WORTH_IT;
  }

  String words(RefusedOffers refused, OfferResult commonest) {
    String counts = "offers refused: " + refused;
    return switch (commonest) {
      case BYPASSED_SMALL -> counts + smallBypass();
      case TOO_LARGE -> counts + tooLarge();
      default -> counts;
    };
  }

  private String tooLarge() {
    String words =
        "; blocks are longer than "
            + BinaryUnits.of(locations.maxBlockBytes())
            + "; raise "
            + settings.nameOf("maxBlockBytes")
            + " to the longest block";
    long capacity = locations.capacityBytes();
    return Sizing.suitsLongestBlocks(capacity, locations.maxBlockBytes() + 1)
        ? words
        : words
            + ", and "
            + settings.nameOf("capacityBytes")
            + ", now "
            + BinaryUnits.of(capacity)
            + ", to 64 times that";
  }

  /** Nothing if the figures are no longer those by which the bypass decided, or never were. */
  private String smallBypass() {
    OptionalLong bytes = dataSet.bytes();
    long dram = settings.smallBypassDramBytes();
    if (bytes.isEmpty() || bytes.getAsLong() * settings.smallBypassFraction() >= dram) {
      return "";
    }
    return "; data set "
        + BinaryUnits.of(bytes.getAsLong())
        + " x "
        + settings.smallBypassFraction()
        + " fits in "
        + BinaryUnits.of(dram)
        + " of DRAM: nothing is cached; set "
        + settings.nameOf("smallBypassDramBytes")
        + "=0 (over JMX: SmallBypassDramBytes=0) to cache anyway";
  }
}
