// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import java.util.Locale;

/** A constant of an enum that is chosen on the command line, and named in records. */
public interface Labelled {
  /** Returns the name in the source, such as {@code ADMIT_ALL}. */
  String name();

  /** Returns the name on the command line and in records, such as {@code admit-all}. */
  default String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
