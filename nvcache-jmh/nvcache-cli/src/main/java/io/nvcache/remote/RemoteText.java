// SPDX-License-Identifier: Apache-2.0
package io.nvcache.remote;

import org.jspecify.annotations.Nullable;

/** Text that another process, or a file, has given, as it may go to a terminal. */
public final class RemoteText {
  /** Longer than any that a cache has to say. */
  static final int MOST_CHARACTERS = 8192;

  private RemoteText() {}

  /** Returns it on one line, without what a terminal would obey, and cut. */
  public static String of(@Nullable String text) {
    String given = String.valueOf(text);
    StringBuilder plain = new StringBuilder(Math.min(given.length(), MOST_CHARACTERS));
    given
        .codePoints()
        .limit(MOST_CHARACTERS)
        .map(character -> obeys(character) ? '?' : character)
        .forEach(plain::appendCodePoint);
    if (given.length() > MOST_CHARACTERS) {
      plain.append("… (cut)");
    }
    return plain.toString();
  }

  private static boolean obeys(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          true;
      default -> false;
    };
  }
}
