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
 * size. Times are passed over.
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
      if (fields.size() <= columns.last()) {
        throw lines.bad(line, "expected at least " + (columns.last() + 1) + " columns");
      }
      TraceOp op = columns.op() < 0 ? TraceOp.READ : op(fields.get(columns.op()).strip());
      String id = fields.get(columns.id()).strip();
      if (op == null || id.isEmpty()) {
        throw lines.bad(line, op == null ? "its operation is unknown" : "it names no block");
      }
      int size = columns.size() < 0 ? DEFAULT_BYTES : lines.size(line, fields.get(columns.size()));
      trace.add(op, TextLines.place(id), op.hasSize() ? size : 0);
    }
    return trace.build();
  }

  private static char separator(String line) {
    return (char) SEPARATORS.chars().filter(c -> line.indexOf(c) >= 0).findFirst().orElse(',');
  }

  private static List<String> split(String line, char separator) {
    // One character, escaped if it must be: Java splits by such without compiling a pattern.
    return List.of(line.split(separator == '|' ? "\\|" : String.valueOf(separator), -1));
  }

  private static @Nullable TraceOp op(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "r", "read", "get", "gets", "0" -> TraceOp.READ;
      case "w", "write", "set", "put", "add", "replace", "1" -> TraceOp.WRITE;
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
