// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
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

  /** Returns the value of each option that has one, given or by default; of no file or flag. */
  protected final Map<String, String> asked() {
    Map<String, String> asked = new LinkedHashMap<>();
    for (OptionSpec option : spec.options()) {
      Object value = option.getValue();
      if (value instanceof List<?> list) {
        value = list.stream().map(String::valueOf).collect(Collectors.joining(","));
      }
      if (value instanceof String text && !text.isEmpty()) {
        asked.put(option.longestName(), text);
      }
    }
    return asked;
  }
}
