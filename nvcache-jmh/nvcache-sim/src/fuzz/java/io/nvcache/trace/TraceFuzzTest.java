// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;

/**
 * Trace files of every format, packed or not, and names of traces: a trace, or an {@link
 * IOException} that says what is wrong.
 */
final class TraceFuzzTest {
  /** Beyond it, making a trace takes longer than finding out about its name. */
  private static final long MOST_MADE = 2000;

  private interface Reader {
    Trace read(ByteArrayInputStream file) throws IOException;
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void csv(FuzzedDataProvider data) {
    read(data, CsvFormat::read);
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void keys(FuzzedDataProvider data) {
    read(data, KeysFormat::read);
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void nvtr(FuzzedDataProvider data) {
    read(data, NvtrFormat::read);
  }

  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void oracleGeneral(FuzzedDataProvider data) {
    read(data, OracleGeneralFormat::read);
  }

  /** What stands for a trace on the command line; makes it if it is short. */
  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void source(FuzzedDataProvider data) {
    String text = data.consumeRemainingAsString();
    try {
      TraceSource source = TraceSource.parse(text);
      if (source.name().isBlank() && !text.isBlank() && source.file() == null) {
        throw new AssertionError("no name for '" + text + "'");
      }
      SyntheticSpec spec = SyntheticSpec.parse(text).orElse(null);
      if ((spec == null) != (source.file() != null)) {
        throw new AssertionError("neither a file nor a generator, or both: '" + text + "'");
      }
      if (spec != null && spec.blocks() <= MOST_MADE && spec.reads() <= MOST_MADE) {
        long lookups = source.open(null, 1).lookups();
        if (lookups < 1 || lookups > spec.reads() + spec.blocks()) { // A scan goes to its end.
          throw new AssertionError(lookups + " lookups in '" + text + "'");
        }
      }
    } catch (IOException e) {
      explained(e);
    }
  }

  /** Files as they lie on a disk: whatever they begin with, and packed by gzip. */
  @FuzzTest(maxExecutions = 10_000_000, maxDuration = "2h")
  void files(FuzzedDataProvider data) throws IOException {
    boolean pack = data.consumeBoolean();
    TraceFormat format = data.consumeBoolean() ? data.pickValue(TraceFormat.values()) : null;
    Path name = Path.of(data.pickValue(new String[] {"t.csv.gz", "t.nvt", "t.txt", "t"}));
    byte[] bytes = data.consumeRemainingAsBytes();
    read(
        new ByteArrayInputStream(pack ? packed(bytes) : bytes),
        file -> TraceFiles.read(name, file, format));
  }

  private static byte[] packed(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(bytes);
    }
    return packed.toByteArray();
  }

  private static void read(FuzzedDataProvider data, Reader reader) {
    read(new ByteArrayInputStream(data.consumeRemainingAsBytes()), reader);
  }

  private static void read(ByteArrayInputStream file, Reader reader) {
    try {
      if (reader.read(file) == null) {
        throw new AssertionError("no trace and no reason");
      }
    } catch (IOException e) {
      explained(e);
    }
  }

  private static void explained(IOException e) {
    if (e.getMessage() == null || e.getMessage().isBlank()) {
      throw new AssertionError("not a word", e);
    }
  }
}
