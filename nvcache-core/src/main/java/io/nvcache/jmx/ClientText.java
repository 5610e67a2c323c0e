// SPDX-License-Identifier: Apache-2.0
package io.nvcache.jmx;

import org.jspecify.annotations.Nullable;

/**
 * Text that a client of JMX has given, as it may go to a log, to consoles and into the health: a
 * line break in it would write its own lines into the audit trail.
 */
final class ClientText {
  static final int MOST_CHARACTERS = 200;

  private ClientText() {}

  /** Returns it on one line, without control characters, and cut. */
  static String of(@Nullable Object given) {
    String text = String.valueOf(given);
    StringBuilder plain = new StringBuilder();
    text.codePoints()
        .limit(MOST_CHARACTERS)
        .map(character -> isPlain(character) ? character : ' ')
        .forEach(plain::appendCodePoint);
    if (text.length() > MOST_CHARACTERS) {
      plain.append("… (").append(text.length()).append(" characters)");
    }
    return plain.toString();
  }

  private static boolean isPlain(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }
}
