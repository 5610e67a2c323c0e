// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.write;

import io.nvcache.Source;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.internal.policy.GuardedAdmission;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Where an offer comes from: asks admission about it as such, and takes a decision back in the same
 * way. Those that are met on the way of every offer are made once.
 */
abstract class Origin {
  private static final Map<Source, Origin> FIRST_OFFERS = new EnumMap<>(Source.class);

  private static final Map<Source, Origin> IMPORTANT_OFFERS = new EnumMap<>(Source.class);

  /** A block that was offered before for the same visit. */
  static final Origin READ_AGAIN = new ReadAgain();

  static {
    for (Source source : Source.values()) {
      FIRST_OFFERS.put(source, new FirstOffer(source));
      IMPORTANT_OFFERS.put(source, new Important(source));
    }
  }

  final Source source;

  private Origin(Source source) {
    this.source = source;
  }

  /** Returns the origin of a block that admission judges by itself and its source. */
  static Origin of(Source source) {
    return Objects.requireNonNull(FIRST_OFFERS.get(source), "source");
  }

  /**
   * Returns the origin of an output block of a rewrite.
   *
   * @param heat the lookups that the block is expected to have had lately; more than 0
   */
  static Origin carried(double heat) {
    return new Carried(heat);
  }

  /** Returns the origin of a block that matters more than its lookups say. */
  static Origin important(Source source) {
    return Objects.requireNonNull(IMPORTANT_OFFERS.get(source), "source");
  }

  /** Returns whether eviction is to pass over the block. */
  boolean isImportant() {
    return false;
  }

  /** Asks admission, which may charge its budget. */
  abstract AdmissionDecision decide(
      GuardedAdmission admission, long fileId, long offset, int lengthBytes);

  /** Takes back that a block was admitted, since it is not inserted after all. */
  void refund(GuardedAdmission admission, int lengthBytes) {
    admission.notAdmitted(lengthBytes, source);
  }

  /** Returns whether shadows are to hear of the offer. */
  boolean isNew() {
    return true;
  }

  private static final class FirstOffer extends Origin {
    FirstOffer(Source source) {
      super(source);
    }

    @Override
    AdmissionDecision decide(
        GuardedAdmission admission, long fileId, long offset, int lengthBytes) {
      return admission.decide(fileId, offset, lengthBytes, source);
    }
  }

  private static final class ReadAgain extends Origin {
    ReadAgain() {
      super(Source.READ);
    }

    @Override
    AdmissionDecision decide(
        GuardedAdmission admission, long fileId, long offset, int lengthBytes) {
      return admission.decideAgain(fileId, offset, lengthBytes, source);
    }

    @Override
    boolean isNew() {
      return false;
    }
  }

  /** A block whose worth is known, as a rewrite's is. */
  private static class Carried extends Origin {
    private final double heat;

    Carried(double heat) {
      this(Source.COMPACTION, heat);
    }

    Carried(Source source, double heat) {
      super(source);
      this.heat = heat;
    }

    @Override
    AdmissionDecision decide(
        GuardedAdmission admission, long fileId, long offset, int lengthBytes) {
      return admission.decideCarried(fileId, offset, lengthBytes, heat);
    }

    @Override
    void refund(GuardedAdmission admission, int lengthBytes) {
      admission.carriedNotAdmitted(lengthBytes);
    }
  }

  /** A block that is worth as much as the hottest. */
  private static final class Important extends Carried {
    private static final double HEAT = 8;

    Important(Source source) {
      super(source, HEAT);
    }

    @Override
    boolean isImportant() {
      return true;
    }
  }
}
