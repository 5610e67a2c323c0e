// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import java.util.Collection;
import java.util.Comparator;
import java.util.Set;
import java.util.TreeSet;

/** The keys of a host's settings, to refuse those that are mistyped. Thread-safe. */
public final class KnownKeys {
  private final Set<String> keys;

  /**
   * Takes all keys that there are.
   *
   * @throws IllegalArgumentException if there are none
   */
  public KnownKeys(Collection<String> keys) {
    if (keys.isEmpty()) {
      throw new IllegalArgumentException("no keys were given; give at least one");
    }
    this.keys = new TreeSet<>(keys);
  }

  /**
   * Checks the keys that a user gave.
   *
   * @throws IllegalArgumentException if one is unknown; names it, the nearest known one, and all
   */
  public void check(Iterable<String> given) {
    for (String key : given) {
      if (!keys.contains(key)) {
        throw new IllegalArgumentException(
            "unknown setting "
                + key
                + "; the nearest is "
                + nearest(key)
                + "; there are "
                + String.join(", ", keys));
      }
    }
  }

  private String nearest(String key) {
    return keys.stream()
        .min(
            Comparator.<String>comparingInt(known -> edits(key, known, true))
                .thenComparingInt(known -> edits(key, known, false)))
        .orElseThrow();
  }

  /**
   * Returns how many characters have to be put in, taken out or replaced to come from one text to
   * another (Levenshtein's distance), or to any beginning of the other: who forgets the last part
   * of a key is near it.
   */
  private static int edits(String from, String to, boolean toBeginning) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    int least = row[to.length()];
    for (int j = 0; toBeginning && j < row.length; j++) {
      least = Math.min(least, row[j]);
    }
    return least;
  }
}
