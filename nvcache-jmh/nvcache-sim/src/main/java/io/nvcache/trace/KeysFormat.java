// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * One read a line: a key, a number or any text without blanks, and maybe the block's size in bytes
 * after a blank or a comma. Lines that begin with # are comments.
 */
final class KeysFormat {
  private static final int DEFAULT_BYTES = 4096;
  private static final Pattern SEPARATOR = Pattern.compile("[\\s,]+");

  private KeysFormat() {}

  static Trace read(InputStream file) throws IOException {
    TextLines lines = new TextLines(file);
    TraceBuilder trace = new TraceBuilder();
    for (String line = lines.next(); line != null; line = lines.next()) {
      String[] fields = SEPARATOR.split(line.strip(), -1);
      if (fields.length > 2 || fields[0].isEmpty()) {
        throw lines.bad(line, "expected a key, and maybe a size");
      }
      int size = fields.length == 2 ? lines.size(line, fields[1]) : DEFAULT_BYTES;
      trace.add(TraceOp.READ, TextLines.place(fields[0]), size);
    }
    return trace.build();
  }

  /** Writes the lookups. */
  static void write(Trace trace, OutputStream file) throws IOException {
    Writer out = new OutputStreamWriter(file, StandardCharsets.US_ASCII);
    for (int i = 0; i < trace.records(); i++) {
      if (trace.op(i).isLookup()) {
        out.write(trace.place(trace.block(i)) + " " + trace.sizeBytes(i) + "\n");
      }
    }
    out.flush();
  }
}
