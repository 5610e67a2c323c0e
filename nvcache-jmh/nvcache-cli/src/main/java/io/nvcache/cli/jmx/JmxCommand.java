// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.jmx;

import io.nvcache.cli.kit.CommandGroup;
import io.nvcache.cli.kit.KnownCommand;
import picocli.CommandLine.Command;

/** The command {@code jmx}: the caches of running processes. */
@Command(
    name = "jmx",
    synopsisSubcommandLabel = "COMMAND",
    description = {KnownCommand.JMX_SUMMARY})
public final class JmxCommand extends CommandGroup {
  /** Makes the group. */
  public JmxCommand() {
    super("say what to do");
  }
}
