// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The configuration that a miniature represents.
 *
 * @param name as it was asked for
 * @param policy {@link #LIVE} or the name of a preset
 * @param overheadTarget as a ratio; empty for the live setting
 * @param sizeFactor the size, as a multiple of the cache's
 */
record ShadowSpec(String name, String policy, OptionalDouble overheadTarget, double sizeFactor) {
  /** The cache's own policies. */
  static final String LIVE = "live";

  private static final Pattern FORM =
      Pattern.compile(
          "(?<policy>[a-z][a-z0-9-]*)(?:@(?<target>\\d{1,4}(?:\\.\\d{1,6})?)%)?"
              + "(?:\\*(?<size>\\d{1,2}(?:\\.\\d{1,6})?))?");

  private static final double MAX_TARGET_PERCENT = 1000;
  private static final double LEAST_FACTOR = 1.0 / 64;
  private static final double MOST_FACTOR = 64;

  /**
   * Reads {@code POLICY[@PERCENT%][*FACTOR]}.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  static ShadowSpec parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw bad(text, "is not of the form POLICY[@PERCENT%][*FACTOR], as in live@20%*2");
    }
    String target = form.group("target");
    if (target != null && Double.parseDouble(target) > MAX_TARGET_PERCENT) {
      throw bad(text, "has a target beyond 0 % to 1000 %");
    }
    String size = form.group("size");
    double factor = size == null ? 1 : Double.parseDouble(size);
    if (factor < LEAST_FACTOR || factor > MOST_FACTOR) {
      throw bad(text, "has a size beyond 1/64 to 64 times the cache's");
    }
    return new ShadowSpec(
        text,
        form.group("policy"),
        target == null
            ? OptionalDouble.empty()
            : OptionalDouble.of(Double.parseDouble(target) / 100),
        factor);
  }

  /** Returns the cache's own policies at another size. */
  static ShadowSpec liveAt(double sizeFactor) {
    return new ShadowSpec(LIVE + "*" + sizeFactor, LIVE, OptionalDouble.empty(), sizeFactor);
  }

  private static IllegalArgumentException bad(String text, String what) {
    return new IllegalArgumentException("the candidate '" + text + "' " + what);
  }
}
