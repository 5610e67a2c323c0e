// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that does something: what all of them have. */
@Command(
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpAutoWidth = true)
public abstract class Action implements Callable<Integer> {
  @SuppressWarnings("NullAway.Init") // picocli sets it before it calls
  @Spec
  private CommandSpec spec;

  /** Returns the command line that this runs from. */
  protected final CommandLine command() {
    return spec.commandLine();
  }

  /** Returns where results go. */
  protected final PrintWriter out() {
    return command().getOut();
  }

  /** Returns where progress and complaints go. */
  protected final PrintWriter err() {
    return command().getErr();
  }

  /** Returns a reader of the options. */
  protected final OptionReader reader() {
    return new OptionReader(command());
  }
}
