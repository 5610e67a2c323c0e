// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.device.DeviceParameters;
import io.nvcache.model.machine.ModelParameters;
import java.util.function.Function;

/**
 * A system that the papers describe or compare with, by name. Two of the same name are equal.
 *
 * <p>{@link Systems} has them all.
 */
public final class ModelSystem {
  /** What NVRAM is used for. */
  public enum Use {
    NOTHING,
    CACHE,
    SYSTEM_MEMORY
  }

  private final String name;
  private final String summary;
  private final Use use;
  private final Function<TierContext, Tier> tier;

  public ModelSystem(String name, String summary, Use use, Function<TierContext, Tier> tier) {
    this.name = name;
    this.summary = summary;
    this.use = use;
    this.tier = tier;
  }

  /** Its name in tables and records. */
  public String name() {
    return name;
  }

  /** What it does, and whose it is. */
  public String summary() {
    return summary;
  }

  public Use use() {
    return use;
  }

  public Tier tier(TierContext context) {
    return tier.apply(context);
  }

  public DeviceParameters nvram(ModelParameters parameters) {
    return use == Use.SYSTEM_MEMORY ? parameters.memoryModeNvram() : parameters.nvram();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ModelSystem system && system.name.equals(name);
  }

  @Override
  public int hashCode() {
    return name.hashCode();
  }

  @Override
  public String toString() {
    return name;
  }
}
