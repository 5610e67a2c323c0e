// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.progress.StopSignal;
import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * What one call of the program said.
 *
 * @param exitCode of the call
 * @param out standard output
 * @param err standard error
 */
public record CliRun(int exitCode, String out, String err) {
  /** Calls the program. */
  public static CliRun of(String... args) {
    return of(new StopSignal(), args);
  }

  /** Returns the program, for a caller that has its own streams. */
  public static CommandLine commandLine(String... args) {
    return NvCacheCli.commandLine(new StopSignal(), args);
  }

  /** Calls the program with a signal to end early. */
  public static CliRun of(StopSignal stop, String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        NvCacheCli.commandLine(stop, args)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new CliRun(exitCode, out.toString(), err.toString());
  }
}
