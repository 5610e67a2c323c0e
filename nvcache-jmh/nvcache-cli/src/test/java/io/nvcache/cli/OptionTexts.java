// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.progress.StopSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Checks the texts of the options of all commands on the class path. */
public final class OptionTexts {
  private OptionTexts() {}

  /**
   * Returns the options whose texts are right. "Of one read or write" says nothing to a reader who
   * does not know of what.
   */
  public static List<String> checked() {
    List<String> checked = new ArrayList<>();
    forEachOption(
        NvCacheCli.commandLine(new StopSignal()),
        option -> {
          String text = String.join(" ", option.description());
          assertThat(text).as(option.longestName()).isNotBlank().doesNotStartWith("Of ");
          checked.add(option.longestName());
        });
    return checked;
  }

  private static void forEachOption(CommandLine command, Consumer<OptionSpec> visitor) {
    command.getCommandSpec().options().forEach(visitor);
    command.getSubcommands().values().forEach(sub -> forEachOption(sub, visitor));
  }
}
