// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.cli.kit.CommandModule;
import io.nvcache.cli.kit.KnownCommand;
import io.nvcache.cli.kit.Terminal;
import io.nvcache.cli.kit.Version;
import io.nvcache.progress.StopSignal;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;

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

  private NvCacheCli() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    StopSignal stop = new StopSignal();
    CountDownLatch finished = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop, finished), "nvcache-stop"));
    int exitCode;
    try {
      exitCode = commandLine(stop, args).execute(args);
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

  /** Returns the modules on the class path by the names of their commands. */
  private static Map<String, List<CommandModule>> modules() {
    Map<String, List<CommandModule>> modules = new HashMap<>();
    add(modules, new OwnCommands());
    for (CommandModule module : ServiceLoader.load(CommandModule.class)) {
      add(modules, module);
    }
    return modules;
  }

  private static void add(Map<String, List<CommandModule>> modules, CommandModule module) {
    for (String name : module.names()) {
      modules.computeIfAbsent(name, each -> new ArrayList<>()).add(module);
    }
  }

  /** Returns a command with what every module adds below it. */
  private static CommandLine create(String name, List<CommandModule> modules, StopSignal stop) {
    CommandLine command = modules.get(0).create(name, stop);
    for (CommandModule more : modules.subList(1, modules.size())) {
      more.create(name, stop).getSubcommands().forEach(command::addSubcommand);
    }
    return command;
  }

  /** Returns the program with every command. */
  static CommandLine commandLine(StopSignal stop) {
    return commandLine(stop, name -> true);
  }

  /** Returns the program for one command line: other commands than those named there are stubs. */
  static CommandLine commandLine(StopSignal stop, String... args) {
    return commandLine(stop, List.of(args)::contains);
  }

  private static CommandLine commandLine(StopSignal stop, Predicate<String> isNamed) {
    Map<String, List<CommandModule>> modules = modules();
    CommandLine program = new CommandLine(new NvCacheCli());
    for (KnownCommand command : KnownCommand.values()) {
      String name = command.label();
      List<CommandModule> those = modules.get(name);
      if (those == null) {
        program.addSubcommand(name, MissingCommand.of(command));
      } else {
        program.addSubcommand(name, isNamed.test(name) ? create(name, those, stop) : stub(command));
      }
    }
    OneLineErrors errors = new OneLineErrors();
    Charset charset = Terminal.charset();
    OutputStream out = new FileOutputStream(FileDescriptor.out); // System.out hides failures.
    return program
        .setOut(new PrintWriter(new OutputStreamWriter(out, charset), true))
        .setErr(new PrintWriter(new OutputStreamWriter(System.err, charset), true))
        .setExecutionStrategy(result -> run(program, result))
        .setParameterExceptionHandler(errors)
        .setExecutionExceptionHandler(errors);
  }

  /** Runs a command, which fails if its results are lost: the disk is full, or the pipe closed. */
  private static int run(CommandLine program, ParseResult result) {
    int exitCode = new RunLast().execute(result);
    if (exitCode == 0 && program.getOut().checkError()) {
      throw new ExecutionException(
          program, "lost", new IOException("can't write to the standard output"));
    }
    return exitCode;
  }

  /** Returns what the list of commands shows of one. */
  private static CommandLine stub(KnownCommand command) {
    CommandSpec spec = CommandSpec.create();
    spec.usageMessage().description(command.summary());
    return new CommandLine(spec);
  }

  /** A command whose module is not on the class path: it says which one that is. */
  private static final class MissingCommand implements Callable<Integer> {
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
}
