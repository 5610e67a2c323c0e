// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One request a line, in columns between commas, semicolons, tabs or bars. A first line that names
 * the columns is understood; without one they are, as in libCacheSim's examples, time, object and
 * size, or a published collection's: MSR Cambridge, Twitter, Alibaba, Tencent. A request of a drive
 * is a block by its volume and its first byte. Times are passed over.
 */
final class CsvFormat {
  private static final int DEFAULT_BYTES = 4096;
  private static final String SEPARATORS = ",;\t|";

  private CsvFormat() {}

  static Trace read(InputStream file) throws IOException {
    TextLines lines = new TextLines(file);
    TraceBuilder trace = new TraceBuilder();
    String line = lines.next();
    if (line == null) {
      return trace.build();
    }
    char separator = separator(line);
    CsvColumns columns = CsvColumns.of(split(line, separator));
    if (columns.header()) {
      line = lines.next();
    }
    for (; line != null; line = lines.next()) {
      List<String> fields = split(line, separator);
      if (!columns.fit(fields)) {
        throw lines.bad(
            line,
            "it has "
                + fields.size()
                + " columns; expected "
                + columns.columns()
                + ", "
                + columns.format());
      }
      TraceOp op =
          columns.op() == CsvColumns.NONE
              ? TraceOp.READ
              : op(fields.get(columns.op()).strip().toLowerCase(Locale.ROOT));
      String id = fields.get(columns.id()).strip();
      if (op == null || id.isEmpty()) {
        throw lines.bad(line, op == null ? "its operation is unknown" : "it names no block");
      }
      if (columns.isOffset() && !TextLines.isNumber(id)) {
        throw lines.bad(line, "its offset '" + id + "' is not a whole number");
      }
      if (columns.volume() != CsvColumns.NONE) {
        id = fields.get(columns.volume()).strip() + ':' + id;
      }
      if (columns.host() != CsvColumns.NONE) {
        id = fields.get(columns.host()).strip() + ':' + id;
      }
      int size = size(lines, line, fields, columns);
      trace.add(op, TextLines.place(id), op.hasSize() ? size : 0);
    }
    return trace.build();
  }

  private static int size(TextLines lines, String line, List<String> fields, CsvColumns columns)
      throws TraceFormatException {
    if (columns.size() == CsvColumns.NONE) {
      return DEFAULT_BYTES;
    }
    long units = lines.sizeOfPart(line, fields.get(columns.size()));
    if (columns.moreSize() != CsvColumns.NONE) {
      units += lines.sizeOfPart(line, fields.get(columns.moreSize()));
    }
    if (units > Integer.MAX_VALUE / columns.unitBytes()) {
      throw lines.bad(line, "its size is more than " + Integer.MAX_VALUE + " bytes");
    }
    return Math.max(1, (int) units * columns.unitBytes());
  }

  /** Returns whether a first line is a request of a published format. */
  static boolean isPublished(String line) {
    return CsvColumns.ofPublished(split(line, separator(line))) != null;
  }

  private static char separator(String line) {
    return (char) SEPARATORS.chars().filter(c -> line.indexOf(c) >= 0).findFirst().orElse(',');
  }

  private static List<String> split(String line, char separator) {
    // One character, escaped if it must be: Java splits by such without compiling a pattern.
    return List.of(line.split(separator == '|' ? "\\|" : String.valueOf(separator), -1));
  }

  /** Returns what a word in small letters means; null for one that is unknown. */
  static @Nullable TraceOp op(String word) {
    return switch (word) {
      case "r", "read", "get", "gets", "0" -> TraceOp.READ;
      case "w", "write", "set", "put", "add", "replace", "1" -> TraceOp.WRITE;
      case "cas", "append", "prepend", "incr", "decr" -> TraceOp.WRITE;
      case "f", "free", "d", "delete", "trim", "2" -> TraceOp.FREE;
      case "rewrite_read", "3" -> TraceOp.REWRITE_READ;
      case "rewrite_wrote", "4" -> TraceOp.REWRITE_WROTE;
      case "rewrite_end", "5" -> TraceOp.REWRITE_END;
      default -> null;
    };
  }

  static void write(Trace trace, OutputStream file) throws IOException {
    Writer out = new OutputStreamWriter(file, StandardCharsets.US_ASCII);
    out.write("time,obj_id,obj_size,op\n");
    for (int i = 0; i < trace.records(); i++) {
      TraceOp op = trace.op(i).isLookup() ? TraceOp.READ : trace.op(i);
      out.write(
          String.join(
                  ",",
                  Integer.toString(i),
                  Long.toString(trace.place(trace.block(i))),
                  Integer.toString(trace.sizeBytes(i)),
                  op.name().toLowerCase(Locale.ROOT))
              + "\n");
    }
    out.flush();
  }
}
