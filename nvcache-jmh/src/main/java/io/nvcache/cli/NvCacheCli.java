// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.ycsb.StopSignal;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;

/** The program {@code nvcache}. */
@Command(
    name = "nvcache",
    mixinStandardHelpOptions = true,
    versionProvider = NvCacheCli.Version.class,
    description = "Measures NVCache, a second-level cache of file blocks.",
    subcommands = HelpCommand.class,
    synopsisSubcommandLabel = "COMMAND")
public final class NvCacheCli {
  /** How long an interrupted command may take to report what it has. */
  private static final long LAST_WORDS_SECONDS = 30;

  /** The version that the build wrote into the jar. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      String version = NvCacheCli.class.getPackage().getImplementationVersion();
      return new String[] {"nvcache " + (version == null ? "(not built as a jar)" : version)};
    }
  }

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
    return new CommandLine(new NvCacheCli())
        .addSubcommand(new YcsbCommand(stop))
        .addSubcommand(new TraceCommand(stop))
        .addSubcommand(new CalibrateCommand(stop))
        .addSubcommand(new StressCommand(stop))
        .addSubcommand(
            new CommandLine(new BenchCommand()).addSubcommand(new BenchHBaseCommand(stop)))
        .addSubcommand(new ReproduceCommand(stop))
        .addSubcommand(new WhatIfCommand())
        .addSubcommand(new WipeCommand())
        .addSubcommand(
            new CommandLine(new JmxCommand())
                .addSubcommand(new JmxListCommand())
                .addSubcommand(new JmxGetCommand())
                .addSubcommand(new JmxSetCommand())
                .addSubcommand(new JmxWatchCommand(stop))
                .addSubcommand(new JmxReportCommand(stop))
                .addSubcommand(new JmxTuneCommand()))
        .setOut(new PrintWriter(new OutputStreamWriter(System.out, charset), true))
        .setErr(new PrintWriter(new OutputStreamWriter(System.err, charset), true))
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }
}
