// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.log;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.VerboseOption;
import io.nvcache.remote.RemoteText;
import io.nvcache.writelog.format.Orphan;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The command {@code log apply}. */
@Command(name = "apply", description = "Makes the changes of an orphan in a file, and syncs it.")
public final class LogApplyCommand extends Action {
  @SuppressWarnings("UnusedVariable") // picocli reads its options
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Parameters(index = "0", paramLabel = "ORPHAN", description = "The orphan.")
  private Path orphan;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "FILE",
      description = "The file; made if it is missing. Default: say which one it was.")
  private @Nullable Path file;

  @Override
  public Integer call() throws IOException {
    Path target = file;
    String said =
        target == null
            ? "changes of " + RemoteText.of(Orphan.target(orphan).toString())
            : "wrote " + Orphan.apply(orphan, target) + " bytes to " + target;
    out().println(said);
    out().flush();
    return 0;
  }
}
