// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.cli.jmx.JmxCommand;
import io.nvcache.cli.jmx.JmxGetCommand;
import io.nvcache.cli.jmx.JmxListCommand;
import io.nvcache.cli.jmx.JmxReportCommand;
import io.nvcache.cli.jmx.JmxSetCommand;
import io.nvcache.cli.jmx.JmxTuneCommand;
import io.nvcache.cli.jmx.JmxWatchCommand;
import io.nvcache.cli.kit.CommandModule;
import io.nvcache.cli.log.LogApplyCommand;
import io.nvcache.cli.log.LogCommand;
import io.nvcache.cli.log.LogDrainCommand;
import io.nvcache.cli.log.LogExportCommand;
import io.nvcache.cli.log.LogRecoverCommand;
import io.nvcache.cli.log.LogStatusCommand;
import io.nvcache.cli.log.LogVerifyCommand;
import io.nvcache.cli.log.LogWipeCommand;
import io.nvcache.cli.trace.TraceCommand;
import io.nvcache.progress.StopSignal;
import java.util.List;
import picocli.CommandLine;

/** The commands of this module. */
final class OwnCommands implements CommandModule {
  @Override
  public List<String> names() {
    return List.of("trace", "calibrate", "inspect", "wipe", "log", "jmx");
  }

  @Override
  public CommandLine create(String name, StopSignal stop) {
    return switch (name) {
      case "trace" -> new CommandLine(new TraceCommand(stop));
      case "calibrate" -> new CommandLine(new CalibrateCommand(stop));
      case "inspect" -> new CommandLine(new InspectCommand());
      case "wipe" -> new CommandLine(new WipeCommand());
      case "log" ->
          new CommandLine(new LogCommand())
              .addSubcommand(new LogStatusCommand())
              .addSubcommand(new LogVerifyCommand())
              .addSubcommand(new LogDrainCommand())
              .addSubcommand(new LogRecoverCommand())
              .addSubcommand(new LogExportCommand())
              .addSubcommand(new LogApplyCommand())
              .addSubcommand(new LogWipeCommand());
      case "jmx" ->
          new CommandLine(new JmxCommand())
              .addSubcommand(new JmxListCommand())
              .addSubcommand(new JmxGetCommand())
              .addSubcommand(new JmxSetCommand())
              .addSubcommand(new JmxWatchCommand(stop))
              .addSubcommand(new JmxReportCommand(stop))
              .addSubcommand(new JmxTuneCommand());
      default -> throw new IllegalArgumentException("no command '" + name + "'");
    };
  }
}
