// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.log;

import io.nvcache.cli.kit.CommandGroup;
import io.nvcache.cli.kit.KnownCommand;
import picocli.CommandLine.Command;

/** The command {@code log}: durable write logs. */
@Command(name = "log", synopsisSubcommandLabel = "ACTION", description = KnownCommand.LOG_SUMMARY)
public final class LogCommand extends CommandGroup {
  /** Makes the group. */
  public LogCommand() {
    super("say what to do");
  }
}
