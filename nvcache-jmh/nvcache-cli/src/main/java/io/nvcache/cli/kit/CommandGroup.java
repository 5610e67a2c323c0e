// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does nothing without one of those below it. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true)
public abstract class CommandGroup implements Runnable {
  private final String question;

  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  /**
   * Makes a group.
   *
   * @param question what a caller is asked who names none of its commands
   */
  protected CommandGroup(String question) {
    this.question = question;
  }

  @Override
  public final void run() {
    throw new ParameterException(
        spec.commandLine(), question + ": " + String.join(", ", spec.subcommands().keySet()));
  }
}
