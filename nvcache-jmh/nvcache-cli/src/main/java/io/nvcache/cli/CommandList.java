// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import io.nvcache.cli.kit.KnownCommand;
import java.util.Set;

/**
 * Writes the help of the program as picocli writes it, without picocli: its classes are of a format
 * so old that neither the JVM's archive takes them nor its quick verifier, which made them most of
 * the time that the help took.
 */
final class CommandList {
  private static final int WIDTH = 80;
  private static final int NAME_WIDTH = 9;
  private static final String INDENT = " ".repeat(2 + NAME_WIDTH + 2);
  private static final String HANGING_INDENT = INDENT.concat("  ");

  private static final String HEAD =
      """
      Usage: nvcache [-hV] COMMAND
      Measures NVCache, a second-level cache of file blocks.
        -h, --help      Show this help message and exit.
        -V, --version   Print version information and exit.
      Commands:
      """;

  private static final String HELP_SUMMARY =
      "Display help information about the specified command.";

  private CommandList() {}

  /** Returns whether a command line asks for this and nothing else. */
  static boolean isAskedFor(String[] args) {
    return args.length == 1
        && (args[0].equals("help") || args[0].equals("--help") || args[0].equals("-h"));
  }

  /**
   * Returns the text, each line with a line feed.
   *
   * @param present the names of the commands whose modules are on the class path
   */
  static String text(Set<String> present) {
    StringBuilder text = new StringBuilder(HEAD);
    add(text, "help", HELP_SUMMARY);
    for (KnownCommand command : KnownCommand.values()) {
      String name = command.label();
      add(text, name, present.contains(name) ? command.summary() : command.summaryIfMissing());
    }
    return text.toString();
  }

  private static void add(StringBuilder text, String name, String summary) {
    text.append("  ").append(name).append(INDENT, 2 + name.length(), INDENT.length());
    int column = INDENT.length();
    boolean begins = true;
    for (String word : summary.split(" ", -1)) {
      if (!begins && column + 1 + word.length() >= WIDTH) {
        text.append('\n').append(HANGING_INDENT);
        column = HANGING_INDENT.length();
        begins = true;
      }
      if (!begins) {
        text.append(' ');
        column++;
      }
      text.append(word);
      column += word.length();
      begins = false;
    }
    text.append('\n');
  }
}
