// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.cli.kit.KnownCommand;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A command whose module is not on the class path: it says which one that is. */
final class MissingCommand implements Callable<Integer> {
  private final KnownCommand command;
  private final CommandLine line;

  private MissingCommand(KnownCommand command) {
    this.command = command;
    CommandSpec spec = CommandSpec.wrapWithoutInspection(this);
    spec.usageMessage().description(command.summaryIfMissing());
    spec.parser().unmatchedArgumentsAllowed(true);
    this.line = new CommandLine(spec);
  }

  static CommandLine of(KnownCommand command) {
    return new MissingCommand(command).line;
  }

  @Override
  public Integer call() {
    throw new ParameterException(
        line,
        "this command is in "
            + command.module()
            + ", which is not on the class path; scripts/nvcache of the source tree adds it");
  }
}
