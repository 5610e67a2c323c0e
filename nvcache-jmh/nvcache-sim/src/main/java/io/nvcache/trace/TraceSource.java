// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a trace comes from: a file, or a generator. */
public final class TraceSource {
  private final String text;
  private final @Nullable SyntheticSpec spec;
  private final @Nullable Path file;

  private TraceSource(String text, @Nullable SyntheticSpec spec, @Nullable Path file) {
    this.text = text;
    this.spec = spec;
    this.file = file;
  }

  /**
   * Reads what represents a trace on the command line.
   *
   * @throws TraceFormatException if it begins like a generator's name and does not continue like
   *     one, or if no file can have this name
   */
  public static TraceSource parse(String text) throws TraceFormatException {
    Optional<SyntheticSpec> spec = SyntheticSpec.parse(text);
    return spec.isPresent()
        ? new TraceSource(text, spec.get(), null)
        : new TraceSource(text, null, file(text));
  }

  private static Path file(String text) throws TraceFormatException {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new TraceFormatException(
          "trace '" + text + "' is no generator, and no file can have this name: " + e.getReason());
    }
  }

  /** The file, or null if the trace is made. */
  public @Nullable Path file() {
    return file;
  }

  /** The file's name up to its first dot, or the generator's name with its parameters. */
  public String name() {
    if (file == null) {
      return text;
    }
    String name = String.valueOf(file.getFileName());
    int dot = name.indexOf('.', 1);
    return dot < 0 ? name : name.substring(0, dot);
  }

  /**
   * Reads or makes the trace.
   *
   * @param format of the file; null to find out
   * @param seed of the generator
   */
  public Trace open(@Nullable TraceFormat format, long seed) throws IOException {
    return spec == null
        ? TraceFiles.read(Objects.requireNonNull(file), format)
        : SyntheticTrace.generate(spec, seed);
  }
}
