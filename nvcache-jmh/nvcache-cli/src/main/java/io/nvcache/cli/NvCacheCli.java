// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.cli.kit.CommandModule;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.cli.kit.Version;
import io.nvcache.progress.StopSignal;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/** The program {@code nvcache}. */
@Command(
    name = "nvcache",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    description = "Measures NVCache, a second-level cache of file blocks.",
    subcommands = HelpCommand.class,
    synopsisSubcommandLabel = "COMMAND")
public final class NvCacheCli {
  /** How long an interrupted command may take to report what it has. */
  private static final long LAST_WORDS_SECONDS = 30;

  private static final List<String> ORDER =
      List.of(
          "ycsb", "trace", "calibrate", "stress", "bench", "reproduce", "whatif", "wipe", "jmx");

  private NvCacheCli() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    StopSignal stop = new StopSignal();
    CountDownLatch finished = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop, finished), "nvcache-stop"));
    int exitCode;
    try {
      exitCode = commandLine(stop).execute(args);
    } finally {
      // Before exit, which in an interrupted process waits for the hook.
      finished.countDown();
    }
    System.exit(exitCode);
  }

  /** Runs when the process ends, by itself or by a signal; the JVM makes SIGINT exit code 130. */
  private static void end(StopSignal stop, CountDownLatch finished) {
    stop.request();
    try {
      if (!finished.await(LAST_WORDS_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("nvcache: did not end in time; data may be left behind");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  static CommandLine commandLine(StopSignal stop) {
    OneLineErrors errors = new OneLineErrors();
    Charset charset = Terminal.charset();
    Map<String, CommandLine> added = new HashMap<>();
    for (CommandModule module : ServiceLoader.load(CommandModule.class)) {
      module.commands(stop).forEach(command -> added.put(command.getCommandName(), command));
    }
    CommandLine program = new CommandLine(new NvCacheCli());
    for (CommandLine command :
        List.of(
            new CommandLine(new TraceCommand(stop)),
            new CommandLine(new CalibrateCommand(stop)),
            new CommandLine(new ReproduceCommand(stop)),
            new CommandLine(new WhatIfCommand()),
            new CommandLine(new WipeCommand()),
            new CommandLine(new JmxCommand())
                .addSubcommand(new JmxListCommand())
                .addSubcommand(new JmxGetCommand())
                .addSubcommand(new JmxSetCommand())
                .addSubcommand(new JmxWatchCommand(stop))
                .addSubcommand(new JmxReportCommand(stop))
                .addSubcommand(new JmxTuneCommand()))) {
      added.put(command.getCommandName(), command);
    }
    for (String name : ORDER) {
      CommandLine command = added.get(name);
      if (command != null) {
        program.addSubcommand(command);
      }
    }
    return program
        .setOut(new PrintWriter(new OutputStreamWriter(System.out, charset), true))
        .setErr(new PrintWriter(new OutputStreamWriter(System.err, charset), true))
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }
}
