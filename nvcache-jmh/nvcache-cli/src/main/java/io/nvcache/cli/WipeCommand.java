// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.cli.kit.Action;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.VerboseOption;
import io.nvcache.llpl.LlplHeapMedium;
import io.nvcache.medium.Wipe;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The command {@code wipe}: cached bytes that no cache uses any more. */
@Command(
    name = "wipe",
    customSynopsis = "nvcache wipe [--mapped] PATH...",
    description = {
      KnownCommand.WIPE_SUMMARY,
      "Refuses what a running cache holds. An SSD may keep old bytes out of reach; encrypt its file"
          + " system if that matters."
    })
final class WipeCommand extends Action {
  @Option(
      names = "--mapped",
      description =
          "The paths are files of mapped media. Nothing in such a file says what it is: be sure.")
  private boolean mapped;

  @SuppressWarnings("UnusedVariable") // picocli reads its options
  @Mixin
  private final VerboseOption verbose = new VerboseOption();

  @Parameters(arity = "1..*", paramLabel = "PATH", description = "What to wipe.")
  private List<Path> paths = List.of();

  @Override
  public Integer call() throws IOException {
    for (Path path : paths) {
      if (mapped) {
        Wipe.mappedFile(path);
      } else {
        LlplHeapMedium.wipe(path);
      }
      out().println("wiped " + path);
    }
    return 0;
  }
}
