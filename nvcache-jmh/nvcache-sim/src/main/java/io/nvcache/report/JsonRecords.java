// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.core.util.Separators.Spacing;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Writes measurements as one flat array of records, the form that all commands share. */
public final class JsonRecords {
  /**
   * One measurement.
   *
   * @param metric a stable name
   * @param labels what it was measured on
   * @param value the figure; not NaN, not infinite
   * @param unit of the figure
   */
  public record Entry(String metric, Map<String, String> labels, double value, String unit) {
    /** Copies the labels and refuses what JSON has no number for. */
    public Entry {
      labels = Map.copyOf(labels);
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException(metric + " is " + value + "; leave the record out");
      }
    }
  }

  private JsonRecords() {}

  /** Adds a record, unless the value isn't a number: what was not measured is left out. */
  public static void add(
      Collection<Entry> records,
      String metric,
      Map<String, String> labels,
      double value,
      String unit) {
    if (Double.isFinite(value)) {
      records.add(new Entry(metric, labels, value, unit));
    }
  }

  /** Writes the records to a file, which has all of them or stays as it is. */
  public static void write(List<Entry> records, Path file) throws IOException {
    Path name = Objects.requireNonNull(file.getFileName());
    Path parts = file.resolveSibling(name + ".part");
    try (Writer out = Files.newBufferedWriter(parts)) {
      write(records, out);
    }
    Files.move(parts, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Writes the records and leaves the writer open. */
  public static void write(List<Entry> records, Writer out) throws IOException {
    try (JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
      DefaultPrettyPrinter lines =
          new DefaultPrettyPrinter(
              Separators.createDefaultInstance()
                  .withObjectFieldValueSpacing(Spacing.AFTER)
                  .withObjectEntrySpacing(Spacing.AFTER));
      lines.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
      lines.indentObjectsWith(new DefaultPrettyPrinter.NopIndenter());
      json.setPrettyPrinter(lines);
      json.writeStartArray();
      for (Entry record : records) {
        write(record, json);
      }
      json.writeEndArray();
    }
    out.write(System.lineSeparator());
  }

  private static void write(Entry record, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("metric", record.metric());
    json.writeObjectFieldStart("labels");
    for (String label : record.labels().keySet().stream().sorted().toList()) {
      json.writeStringField(label, record.labels().get(label));
    }
    json.writeEndObject();
    json.writeFieldName("value");
    writeNumber(record.value(), json);
    json.writeStringField("unit", record.unit());
    json.writeEndObject();
  }

  private static void writeNumber(double value, JsonGenerator json) throws IOException {
    if (value == Math.rint(value) && Math.abs(value) < 1L << 53) {
      json.writeNumber((long) value);
    } else {
      json.writeNumber(value);
    }
  }
}
