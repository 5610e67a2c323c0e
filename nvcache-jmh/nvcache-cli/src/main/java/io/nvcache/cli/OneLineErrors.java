// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.cli.kit.ExitCode;
import io.nvcache.remote.RemoteText;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Whatever goes wrong is said in one line on the error stream. */
final class OneLineErrors implements IParameterExceptionHandler, IExecutionExceptionHandler {

  @Override
  public int handleParseException(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    String message = String.valueOf(e.getMessage()).replaceAll("\\.$", ""); // Of picocli's own.
    List<String> commands = commands(command);
    if (e instanceof UnmatchedArgumentException unmatched) {
      if (!commands.isEmpty() && !unmatched.isUnknownOption()) {
        message = "'" + unmatched.getUnmatched().get(0) + "' is no command";
      }
      if (!unmatched.getSuggestions().isEmpty()) {
        message += "; did you mean " + String.join(" or ", unmatched.getSuggestions()) + "?";
      }
    }
    // What a command that runs refuses itself says what would do.
    boolean refusedByItself =
        e.getClass().equals(ParameterException.class) && command.getCommand() instanceof Runnable;
    if (!commands.isEmpty() && !refusedByItself) {
      message += "; commands are " + String.join(", ", commands);
    }
    print(command, name + ": " + message + " (see " + name + " --help)");
    return ExitCode.BAD_USAGE;
  }

  @Override
  public int handleExecutionException(Exception e, CommandLine command, ParseResult result) {
    boolean verbose = command.getParseResult().hasMatchedOption("--verbose");
    String name = command.getCommandSpec().qualifiedName();
    print(command, name + ": " + message(e) + (verbose ? "" : " (--verbose shows where)"));
    if (verbose) {
      e.printStackTrace(command.getErr());
      command.getErr().flush();
    }
    return ExitCode.FAILED;
  }

  /** What may follow the command, if it can't do anything by itself. */
  private static List<String> commands(CommandLine command) {
    return command.getCommandSpec().userObject() instanceof Callable
        ? List.of()
        : List.copyOf(command.getSubcommands().keySet());
  }

  /** The messages of file system exceptions often are a path and nothing else. */
  private static String message(Exception e) {
    String said = e.getMessage();
    if (said == null || !(e instanceof FileSystemException failure)) {
      return said == null ? e.getClass().getSimpleName() : said;
    }
    if (failure.getReason() != null) {
      return said;
    }
    if (e instanceof NoSuchFileException) {
      return said + " does not exist; name one that does";
    }
    if (e instanceof AccessDeniedException) {
      return said + ": permission denied; let this user use it and its directory";
    }
    if (e instanceof FileAlreadyExistsException) {
      return said + " is there already; name another, or remove it";
    }
    return e.getClass().getSimpleName() + ": " + said;
  }

  private static void print(CommandLine command, String line) {
    PrintWriter err = command.getErr();
    err.println(RemoteText.of(line.replaceAll("\\s*\\R\\s*", " ")));
    err.flush();
  }
}
