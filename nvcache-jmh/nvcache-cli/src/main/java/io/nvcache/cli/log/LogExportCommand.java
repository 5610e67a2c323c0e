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

/** The command {@code log export}. */
@Command(
    name = "export",
    description =
        "Copies what a log holds to a directory, one orphan file for each of its files, and changes"
            + " nothing.")
public final class LogExportCommand extends Action {
  @SuppressWarnings("UnusedVariable") // picocli reads its options
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Parameters(index = "0", paramLabel = "LOG", description = "The file of the log.")
  private Path log;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Parameters(index = "1", paramLabel = "DIRECTORY", description = "Where to copy to.")
  private Path directory;

  @Override
  public Integer call() throws IOException {
    for (Path orphan : LogInspection.export(log, directory)) {
      out().println(orphan);
    }
    out().flush();
    return 0;
  }
}
