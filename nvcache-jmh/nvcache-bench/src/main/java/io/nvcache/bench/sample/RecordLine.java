// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import io.nvcache.report.JsonRecords;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A record as a line of text, the way it comes from a forked JVM among whatever else that says. */
public final class RecordLine {
  private static final String MARK = "@nvcache-record";
  private static final String SEPARATOR = "\t";
  private static final int FIELDS_BEFORE_LABELS = 4;

  private RecordLine() {}

  public static String write(JsonRecords.Entry record) {
    StringBuilder line = new StringBuilder(MARK);
    line.append(SEPARATOR).append(record.metric());
    line.append(SEPARATOR).append(record.value());
    line.append(SEPARATOR).append(record.unit());
    new TreeMap<>(record.labels())
        .forEach((name, value) -> line.append(SEPARATOR).append(name).append('=').append(value));
    return line.toString();
  }

  /** The record in a line, or null if there is none. */
  public static JsonRecords.@Nullable Entry read(String line) {
    String[] fields = line.split(SEPARATOR, -1);
    if (!fields[0].equals(MARK)) {
      return null;
    }
    Map<String, String> labels = new TreeMap<>();
    for (int i = FIELDS_BEFORE_LABELS; i < fields.length; i++) {
      int equals = fields[i].indexOf('=');
      labels.put(fields[i].substring(0, equals), fields[i].substring(equals + 1));
    }
    return new JsonRecords.Entry(fields[1], labels, Double.parseDouble(fields[2]), fields[3]);
  }
}
