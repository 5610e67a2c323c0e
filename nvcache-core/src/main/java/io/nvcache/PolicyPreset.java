// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.LfruEviction;
import io.nvcache.eviction.WorthEviction;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Admission and eviction that belong together, by name: what {@link BlockCacheBuilder#policies}
 * takes. docs/inside/policies.md explains and compares them.
 */
public enum PolicyPreset {
  /** The blocks that are worth a write the most, within the overhead target. */
  DEFAULT("default", 1800),

  /**
   * SoCC '22, §3, with the constants of WiredTiger's block cache; bypasses data sets that fit in
   * the machine's memory.
   */
  PAPER("paper", 1800),

  /** The paper's, evicting what was not hit for 20 seconds. */
  PAPER_20("paper-20", 20),

  /** The paper's, evicting what was not hit for 4 seconds. */
  PAPER_4("paper-4", 4),

  /** The paper's gate with a memory that fades, in front of CLOCK. */
  DECAYING("decaying", 1800),

  /** Every block, in front of CLOCK: what admission is measured against. */
  ADMIT_ALL("admit-all", 1800);

  private final String label;
  private final Duration evictionWindow;

  PolicyPreset(String label, long evictionWindowSeconds) {
    this.label = label;
    this.evictionWindow = Duration.ofSeconds(evictionWindowSeconds);
  }

  /** Its name in settings and on command lines. */
  public String label() {
    return label;
  }

  /**
   * Returns the preset of a name.
   *
   * @throws IllegalArgumentException if there is none; lists those there are
   */
  public static PolicyPreset named(String label) {
    return Arrays.stream(values())
        .filter(preset -> preset.label.equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there are no policies named '"
                        + label
                        + "'; choose among "
                        + Arrays.stream(values())
                            .map(PolicyPreset::label)
                            .collect(Collectors.joining(", "))));
  }

  /** Its admission, for those who put something around it. */
  public AdmissionFactory admission() {
    return switch (this) {
      case DEFAULT -> AdmissionPresets.standard();
      case PAPER, PAPER_20, PAPER_4 -> AdmissionPresets.paper();
      case DECAYING -> AdmissionPresets.decaying();
      case ADMIT_ALL -> AdmissionPresets.admitAll();
    };
  }

  EvictionFactory eviction() {
    return switch (this) {
      case DEFAULT -> WorthEviction::new;
      case PAPER, PAPER_20, PAPER_4 -> LfruEviction::new;
      case DECAYING, ADMIT_ALL -> ClockEviction::new;
    };
  }

  /** Returns whether the small bypass is on unless a builder is given another DRAM. */
  boolean bypassesSmallData() {
    return switch (this) {
      case PAPER, PAPER_20, PAPER_4 -> true;
      case DEFAULT, DECAYING, ADMIT_ALL -> false;
    };
  }

  Duration evictionWindow() {
    return evictionWindow;
  }
}
