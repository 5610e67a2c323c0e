// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Reads and writes trace files, plain or compressed with gzip. */
public final class TraceFiles {
  private static final int BUFFER_BYTES = 1 << 13;
  private static final int MAGIC_BYTES = 4;
  private static final int FIRST_LINE_BYTES = 1 << 10;
  private static final int GZIP_MAGIC = 0x1f8b;
  private static final int ZSTD_MAGIC = 0x28b52ffd;

  private TraceFiles() {}

  /**
   * Reads a trace.
   *
   * @param format of the file; null to tell it from its first bytes and its name
   * @throws TraceFormatException if the file is not what it should be; names the file
   */
  public static Trace read(Path file, @Nullable TraceFormat format) throws IOException {
    try (InputStream packed = Files.newInputStream(file)) {
      return read(file, packed, format);
    }
  }

  /** The same of what lies in a file, whose name goes into messages and may tell its format. */
  static Trace read(Path file, InputStream packed, @Nullable TraceFormat format)
      throws IOException {
    try (InputStream in = plain(packed)) {
      TraceFormat known = format == null ? detect(file, in) : format;
      Trace trace =
          switch (known) {
            case NVTR -> NvtrFormat.read(in);
            case CSV -> CsvFormat.read(in);
            case ORACLE_GENERAL -> OracleGeneralFormat.read(in);
            case KEYS -> KeysFormat.read(in);
          };
      if (trace.lookups() == 0) {
        throw new TraceFormatException("it holds no read");
      }
      return trace;
    } catch (TraceFormatException | ZipException | EOFException e) {
      String what = e instanceof TraceFormatException ? e.getMessage() : "its gzip is broken";
      throw new TraceFormatException("can't read trace " + file + ": " + what);
    }
  }

  private static InputStream plain(InputStream file) throws IOException {
    InputStream buffered = new BufferedInputStream(file, BUFFER_BYTES);
    int magic = magic(buffered);
    if (magic == ZSTD_MAGIC) {
      throw new TraceFormatException("it is compressed with zstd; unpack it with unzstd first");
    }
    return magic >>> 16 == GZIP_MAGIC
        ? new BufferedInputStream(new GZIPInputStream(buffered, BUFFER_BYTES), BUFFER_BYTES)
        : buffered;
  }

  private static int magic(InputStream in) throws IOException {
    in.mark(MAGIC_BYTES);
    byte[] first = in.readNBytes(MAGIC_BYTES);
    in.reset();
    int magic = 0;
    for (int i = 0; i < MAGIC_BYTES; i++) {
      magic = (magic << Byte.SIZE) | (i < first.length ? first[i] & 0xff : 0);
    }
    return magic;
  }

  private static TraceFormat detect(Path file, InputStream in) throws IOException {
    if (magic(in) == NvtrFormat.MAGIC) {
      return TraceFormat.NVTR;
    }
    try {
      return ofName(file);
    } catch (TraceFormatException unnamed) {
      if (CsvFormat.isPublished(firstLine(in))) {
        return TraceFormat.CSV; // Published files have no name that ends in csv, most of them.
      }
      throw unnamed;
    }
  }

  private static String firstLine(InputStream in) throws IOException {
    in.mark(FIRST_LINE_BYTES);
    String first = new String(in.readNBytes(FIRST_LINE_BYTES), StandardCharsets.ISO_8859_1);
    in.reset();
    return first.lines().findFirst().orElse("");
  }

  /** The format that a file's name promises. */
  public static TraceFormat ofName(Path file) throws TraceFormatException {
    String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    String plain = name.endsWith(".gz") ? name.substring(0, name.length() - 3) : name;
    if (plain.contains("oraclegeneral")) {
      return TraceFormat.ORACLE_GENERAL;
    }
    int dot = plain.lastIndexOf('.');
    return switch (dot < 0 ? "" : plain.substring(dot + 1)) {
      case "nvt", "nvtr" -> TraceFormat.NVTR;
      case "csv", "tsv" -> TraceFormat.CSV;
      case "txt", "keys", "key" -> TraceFormat.KEYS;
      default ->
          throw new TraceFormatException(
              "neither its first bytes nor its name tell its format; name it with --format");
    };
  }

  /** Writes a trace, compressed if the file's name ends in {@code .gz}. */
  public static void write(Trace trace, Path file, TraceFormat format) throws IOException {
    boolean compress = String.valueOf(file.getFileName()).endsWith(".gz");
    try (OutputStream plain = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES);
        OutputStream out = compress ? new GZIPOutputStream(plain, BUFFER_BYTES) : plain;
        OutputStream buffered = new BufferedOutputStream(out, BUFFER_BYTES)) {
      switch (format) {
        case NVTR -> NvtrFormat.write(trace, buffered);
        case CSV -> CsvFormat.write(trace, buffered);
        case ORACLE_GENERAL -> OracleGeneralFormat.write(trace, buffered);
        case KEYS -> KeysFormat.write(trace, buffered);
      }
    }
  }
}
