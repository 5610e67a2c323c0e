// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Estimates the room that a text takes. The reader's fonts are not known, so the widths are those
 * of a wide one (DejaVu Sans); a text that fits by them fits in the usual others as well.
 */
final class TextSize {
  static final double SMALL = 11;
  static final double PLAIN = 12;
  static final double TITLE = 14;
  static final double BOLDER = 1.12;
  private static final String ELLIPSIS = "…";

  private TextSize() {}

  /** Returns the width in pixels of a text of a font size in pixels. */
  static double width(String text, double size) {
    return size * text.codePoints().mapToDouble(TextSize::part).sum();
  }

  /** Returns the width in pixels of the widest of some plain texts; 0 if there is none. */
  static double widest(Stream<String> texts) {
    return texts.mapToDouble(text -> width(text, PLAIN)).max().orElse(0);
  }

  /** Returns the width in pixels of a text in bold. */
  static double bold(String text, double size) {
    return BOLDER * width(text, size);
  }

  /** Returns the width of a character as a part of the font size. */
  private static double part(int character) {
    if ("ijl|.,:;'!".indexOf(character) >= 0) {
      return 0.35;
    }
    if (" ftrI()[]-/\"".indexOf(character) >= 0) {
      return 0.42;
    }
    if ("mwMW%@…–÷×−+=<>≤≥".indexOf(character) >= 0) {
      return 1;
    }
    if (character >= 'A' && character <= 'Z') {
      return 0.79;
    }
    // Letters of other scripts may be as wide as they are high.
    return character < 0x250 ? 0.64 : 1;
  }

  /** Returns the text, cut where it is wider than a number of pixels. */
  static String cut(String text, double size, double width) {
    if (width(text, size) <= width) {
      return text;
    }
    int end = text.length();
    while (end > 0 && width(text.substring(0, end) + ELLIPSIS, size) > width) {
      end--;
    }
    return text.substring(0, end) + ELLIPSIS;
  }

  /** Returns the lines of a text in bold that is broken between words. */
  static List<String> wrap(String text, double size, double width) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : text.split(" ", -1)) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (!line.isEmpty() && bold(longer, size) > width) {
        lines.add(line);
        longer = word;
      }
      line = longer;
    }
    lines.add(line);
    return lines.stream().map(part -> cut(part, size * BOLDER, width)).toList();
  }
}
