// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Compares the commands that the documentation mentions with the program: each option belongs to
 * the command that it follows, and the section of a command on its page names all options that its
 * parent does not have. Each module does so for the commands that it brings.
 */
public final class DocCommands {
  private static final Path ROOT = Path.of("..", "..");
  private static final List<Path> SECTIONS =
      List.of(
          ROOT.resolve("docs/reference/generated/commands.md"),
          ROOT.resolve("docs/evidence/benchmarks.md"));
  private static final Pattern COMMAND =
      Pattern.compile("(?:scripts/(?:nvcache |(?=reproduce))|`nvcache )([a-z][^`|#\n]*)");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");
  private static final Pattern SECTION =
      Pattern.compile("(?ms)^## nvcache ([a-z -]+)$(.*?)(?=^## |\\z)");

  /** Options that pages explain once for all commands. */
  private static final Set<String> COMMON = Set.of("--help", "--version", "--quiet", "--verbose");

  private DocCommands() {}

  /**
   * Checks the commands of these names, such as {@code bench hbase}, and that the documentation
   * mentions each of them.
   */
  public static void check(String... names) throws IOException {
    CommandLine program = NvCacheCli.commandLine(new StopSignal());
    List<String> problems = new ArrayList<>();
    for (String name : names) {
      assertThat(commandOf(program, List.of(name.split(" "))).getCommandSpec().qualifiedName())
          .isEqualTo("nvcache " + name);
      int mentions = 0;
      for (Path page : pages()) {
        mentions += check(program, name, page, problems);
      }
      assertThat(mentions).as("mentions of %s", name).isPositive();
      checkSections(program, name, problems);
    }
    assertThat(problems).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> found = Stream.concat(Files.walk(ROOT.resolve("docs")), Files.list(ROOT))) {
      return found.filter(file -> file.toString().endsWith(".md")).sorted().toList();
    }
  }

  private static int check(CommandLine program, String name, Path page, List<String> problems)
      throws IOException {
    String text = Files.readString(page).replaceAll("\\\\\n\\s*", " ");
    int mentions = 0;
    for (MatchResult mention : COMMAND.matcher(text).results().toList()) {
      String call = mention.group(1);
      List<String> words = List.of(call.strip().split("\\s+"));
      if (begins(words, name)) {
        mentions++;
        CommandLine command = commandOf(program, words);
        for (MatchResult option : OPTION.matcher(call).results().toList()) {
          if (!command.getCommandSpec().optionsMap().containsKey(option.group())
              && !COMMON.contains(option.group())) {
            problems.add(page + ": no " + option.group() + " of " + call.strip());
          }
        }
      }
    }
    return mentions;
  }

  private static boolean begins(List<String> words, String name) {
    return (String.join(" ", words) + " ").startsWith(name + " ");
  }

  /** The command that the leading words name. */
  private static CommandLine commandOf(CommandLine program, List<String> words) {
    CommandLine command = program;
    for (String word : words) {
      CommandLine next = command.getSubcommands().get(word);
      if (next == null) {
        break;
      }
      command = next;
    }
    return command;
  }

  private static void checkSections(CommandLine program, String name, List<String> problems)
      throws IOException {
    boolean found = false;
    String text = Files.readString(SECTIONS.get(0)) + "\n" + Files.readString(SECTIONS.get(1));
    for (MatchResult section : SECTION.matcher(text).results().toList()) {
      List<String> words = List.of(section.group(1).split(" "));
      if (begins(words, name)) {
        found = true;
        CommandLine command = commandOf(program, words);
        CommandLine parent = commandOf(program, words.subList(0, words.size() - 1));
        for (OptionSpec option : command.getCommandSpec().options()) {
          String longest = option.longestName();
          if (!option.hidden()
              && !COMMON.contains(longest)
              && !parent.getCommandSpec().optionsMap().containsKey(longest)
              && !Pattern.compile(longest + "(?![\\w-])").matcher(section.group(2)).find()) {
            problems.add(SECTIONS + ": nvcache " + section.group(1) + " lacks " + longest);
          }
        }
      }
    }
    assertThat(found).as("a section for %s", name).isTrue();
  }
}
