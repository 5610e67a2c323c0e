// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The lines of a text trace, counted for error messages; empty ones and comments are left out. */
final class TextLines {
  private static final int LONGEST_SHOWN = 60;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private static final Pattern UNPRINTABLE = Pattern.compile("[\\p{C}\uFFFD]");

  /** That surely fit a long. */
  private static final int MOST_DIGITS = 18;

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private final BufferedReader in;
  private long number;

  TextLines(InputStream file) {
    this.in = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8));
  }

  /** The next line, or null after the last. */
  @Nullable String next() throws IOException {
    String line;
    do {
      line = in.readLine();
      number++;
      if (number == 1 && line != null && line.startsWith(BYTE_ORDER_MARK)) {
        line = line.substring(1);
      }
    } while (line != null && (line.isBlank() || line.startsWith("#")));
    return line;
  }

  /** A line that can't be read. */
  TraceFormatException bad(String line, String why) {
    return new TraceFormatException(
        printable("line " + number + " is '" + shown(line) + "': " + why));
  }

  /** Returns the beginning of a line, to be shown. */
  static String shown(String line) {
    return printable(
        line.length() <= LONGEST_SHOWN ? line : line.substring(0, LONGEST_SHOWN) + "...");
  }

  /** What is no text must not come to steer the terminal that shows the message. */
  private static String printable(String text) {
    return UNPRINTABLE.matcher(text).replaceAll("?");
  }

  /** A size from a field; nothing has less than a byte. */
  int size(String line, String field) throws TraceFormatException {
    return Math.max(1, sizeOfPart(line, field));
  }

  /** A size from a field, of what may be empty. */
  int sizeOfPart(String line, String field) throws TraceFormatException {
    try {
      long size = Long.parseLong(field.strip());
      if (size >= 0 && size <= Integer.MAX_VALUE) {
        return (int) size;
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw bad(
        line, "the size '" + field + "' is not a whole number from 0 to " + Integer.MAX_VALUE);
  }

  /**
   * The number that a key is, or that represents it: FNV-1a of its characters. With zeros in front
   * it is text: "007" is another key than "7".
   */
  static long place(String key) {
    int length = key.length();
    if (isNumber(key)) {
      return Long.parseLong(key);
    }
    long hash = FNV_OFFSET;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ key.charAt(i)) * FNV_PRIME;
    }
    return hash | Long.MIN_VALUE; // Apart from the numbers.
  }

  /** Returns whether a text is a whole number as programs write it. */
  static boolean isNumber(String key) {
    int length = key.length();
    if (length == 0 || length > MOST_DIGITS || (length > 1 && key.charAt(0) == '0')) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (key.charAt(i) < '0' || key.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }
}
