// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.log;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.VerboseOption;
import io.nvcache.writelog.LogInspection;
import java.io.IOException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code log wipe}. */
@Command(
    name = "wipe",
    description =
        "Overwrites a log with zeros and deletes it: what was drained stays in a log otherwise."
            + " Refuses one that is in use, or holds what is not drained.")
public final class LogWipeCommand extends Action {
  @SuppressWarnings("UnusedVariable") // picocli reads its options
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Parameters(paramLabel = "LOG", description = "The file of the log.")
  private Path log;

  @Override
  public Integer call() throws IOException {
    LogInspection.wipe(log);
    out().println("wiped " + log);
    return 0;
  }
}
