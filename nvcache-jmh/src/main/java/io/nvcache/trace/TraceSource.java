// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Where a trace comes from: a file, or a generator. */
public final class TraceSource {
  private final String text;
  private final @Nullable SyntheticSpec spec;

  private TraceSource(String text, @Nullable SyntheticSpec spec) {
    this.text = text;
    this.spec = spec;
  }

  /**
   * Reads what stands for a trace on the command line.
   *
   * @throws TraceFormatException if it begins like a generator's name and does not go on like one
   */
  public static TraceSource parse(String text) throws TraceFormatException {
    Optional<SyntheticSpec> spec = SyntheticSpec.parse(text);
    return new TraceSource(text, spec.orElse(null));
  }

  /** The file, or null if the trace is made. */
  public @Nullable Path file() {
    return spec == null ? Path.of(text) : null;
  }

  /** The file's name up to its first dot, or the generator's name with its parameters. */
  public String name() {
    if (spec != null) {
      return text;
    }
    String name = String.valueOf(Path.of(text).getFileName());
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
        ? TraceFiles.read(Path.of(text), format)
        : SyntheticTrace.generate(spec, seed);
  }
}
