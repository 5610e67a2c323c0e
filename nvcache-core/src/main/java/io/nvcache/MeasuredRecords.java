// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the one form of JSON that the commands of NVCache write: an array of records, each a
 * metric, flat labels, a number and a unit. Anything else is refused with the line it is on.
 *
 * <p>By hand, because a library for it would be one more dependency of every host, most of which
 * have another version of it (docs/inside/decisions/0009).
 */
final class MeasuredRecords {
  /**
   * One measurement.
   *
   * @param metric its name
   * @param labels what it was measured on
   * @param value the figure
   */
  record Entry(String metric, Map<String, String> labels, double value) {}

  private static final Pattern SPACE = Pattern.compile("[ \\t\\r\\n]*");
  private static final Pattern STRING =
      Pattern.compile("\"((?:[^\"\\\\\\x00-\\x1f]++|\\\\[\"\\\\/bfnrt]|\\\\u[0-9a-fA-F]{4})*+)\"");
  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?");

  private final String text;
  private int at;

  private MeasuredRecords(String text) {
    this.text = text;
  }

  /**
   * Reads all records.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  static List<Entry> parse(String text) {
    MeasuredRecords reader = new MeasuredRecords(text);
    List<Entry> records = reader.array();
    if (reader.at < text.length()) {
      throw reader.expected("nothing more");
    }
    return records;
  }

  private List<Entry> array() {
    List<Entry> records = new ArrayList<>();
    take('[');
    if (takeIf(']')) {
      return records;
    }
    do {
      records.add(entry());
    } while (takeIf(','));
    take(']');
    return records;
  }

  private Entry entry() {
    String metric = null;
    Map<String, String> labels = null;
    Double value = null;
    take('{');
    do {
      String name = string();
      take(':');
      switch (name) {
        case "metric" -> metric = once(name, metric, string());
        case "labels" -> labels = once(name, labels, labels());
        case "value" -> value = once(name, value, number());
        default -> string();
      }
    } while (takeIf(','));
    take('}');
    if (metric == null || labels == null || value == null) {
      throw expected("metric, labels and value in each record, before this");
    }
    return new Entry(metric, labels, value);
  }

  private <T> T once(String name, @Nullable T before, T now) {
    if (before != null) {
      throw expected(name + " once in a record, before this");
    }
    return now;
  }

  private Map<String, String> labels() {
    Map<String, String> labels = new HashMap<>();
    take('{');
    if (takeIf('}')) {
      return labels;
    }
    do {
      String name = string();
      take(':');
      labels.put(name, string());
    } while (takeIf(','));
    take('}');
    return labels;
  }

  /** Escapes stay as they are: no name that is looked for has any. */
  private String string() {
    return token(STRING, "a string").group(1);
  }

  private double number() {
    return Double.parseDouble(token(NUMBER, "a number").group());
  }

  private Matcher token(Pattern pattern, String what) {
    Matcher matcher = pattern.matcher(text).region(at, text.length());
    if (!matcher.lookingAt()) {
      throw expected(what);
    }
    at = matcher.end();
    skipSpace();
    return matcher;
  }

  private void take(char mark) {
    if (!takeIf(mark)) {
      throw expected("'" + mark + "'");
    }
  }

  private boolean takeIf(char mark) {
    if (at == 0) {
      skipSpace();
    }
    if (at == text.length() || text.charAt(at) != mark) {
      return false;
    }
    at++;
    skipSpace();
    return true;
  }

  private void skipSpace() {
    Matcher space = SPACE.matcher(text).region(at, text.length());
    if (space.lookingAt()) {
      at = space.end();
    }
  }

  private IllegalArgumentException expected(String what) {
    long line = 1 + text.chars().limit(at).filter(c -> c == '\n').count();
    String found = at == text.length() ? "its end" : "'" + text.charAt(at) + "'";
    return new IllegalArgumentException(
        "line " + line + " should have " + what + ", and has " + found);
  }
}
