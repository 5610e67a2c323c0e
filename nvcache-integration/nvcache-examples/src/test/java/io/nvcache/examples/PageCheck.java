// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Compares a page with the tree: links and anchors, and in code the names of classes, members,
 * scripts, commands, options, keys, meters, profiles, tests and files. Prose keeps to 120 columns
 * and to words of the field.
 */
final class PageCheck {
  private static final int COLUMNS = 120;

  private static final Pattern FENCE = Pattern.compile("(?ms)^ *```(\\w*)\n(.*?)^ *```$");
  private static final Pattern FENCE_LINE = Pattern.compile("(?m)^ *```(.*)$");

  /** The second row of a table, with text before it on its line. */
  private static final Pattern FOLDED_TABLE =
      Pattern.compile("(?m)^[^\n]*[^\\s|:-][^\n]*\\|\\s*:?-{3,}:?\\s*\\|");

  private static final Pattern TABLE = Pattern.compile("(?m)^ *\\|.*(?:\n *\\|.*)*\n?(.*)");
  private static final Pattern RULE = Pattern.compile(" *\\|(?: *:?-+:? *\\|)+ *");
  private static final Pattern BAR = Pattern.compile("(?<!\\\\)\\|");

  private static final Pattern SECTION = Pattern.compile("(?m)^## (.+)$");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+(?:\n[^`\n]+)?)`");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
  private static final Pattern TYPE = Pattern.compile("[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*");
  private static final Pattern MEMBER =
      Pattern.compile("([A-Z]\\w*[a-z]\\w*)(?:\\.|#|::)([A-Za-z]\\w*)(…?)(?:\\(.*\\))?");
  private static final Pattern CALL = Pattern.compile("([a-z]\\w*)\\([^)]*\\)");
  private static final Pattern TEST =
      Pattern.compile("[A-Z][A-Za-z0-9]+(?:Test|IT|Jcstress|Contract)");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");
  private static final Pattern KEY =
      Pattern.compile("(?:hbase\\.)?nvcache\\.[a-z0-9]+(?:[.][a-z0-9]+)*");
  private static final Pattern METER = Pattern.compile("nvcache(?:_[a-z]+)+");
  private static final Pattern FILE =
      Pattern.compile(
          "(?<![\\w/.-])(?:scripts|docs|nvcache-[a-z]+|\\.ci|\\.github)/[\\w./-]*[\\w-]");
  private static final Pattern COMMAND =
      Pattern.compile("(?:scripts/|(?<![\\w./-]))nvcache ([a-z][a-z-]*)");
  private static final Pattern PROFILES = Pattern.compile("(?<=\\s)-P([\\w,-]+)");
  private static final Pattern TESTS = Pattern.compile("-D(?:it\\.)?test='?([\\w,#*.]+)");
  private static final Pattern PROPERTY = Pattern.compile("-D(nvcache\\.[\\w.]+)");

  /** Options of other programs. */
  private static final Set<String> FOREIGN_OPTIONS =
      Set.of(
          "--add-exports",
          "--add-opens",
          "--enable-native-access",
          "--sun-misc-unsafe-memory-access",
          "--cpunodebind",
          "--hardware",
          "--membind",
          "--preferred",
          "--mode",
          "--region",
          "--no-install-recommends");

  /** Names of the JDK, of hosts and of libraries that no source happens to name. */
  private static final Set<String> FOREIGN_NAMES = foreignNames();

  /** Words that the field has better ones for. */
  private static final Pattern ODD_WORD =
      Pattern.compile(
          "(?i)\\b(nobody|whoever|meanwhile|lest|reckon(?:s|ed|ing)?|mend(?:s|ed|ing)?|tells?|told|bears?)\\b");

  /** Names the pages that have the figures of the block that follows. */
  private static final Pattern FIGURES =
      Pattern.compile("(?m)^<!-- figures: ([^>]+) -->\n((?:[^\n]+\n)+)");

  private static final Pattern FIGURE = Pattern.compile("(?<![\\w.])\\d[\\d,]*\\.\\d+(?![\\w.])");
  private static final Pattern IMAGE_FILE = Pattern.compile("\\([^)]*\\)");

  private static final Map<Path, Set<String>> ANCHORS = new HashMap<>();

  private final Tree tree;
  private final Path page;
  private final String text;
  private final String prose;
  private final boolean generated;
  private final List<String> problems = new ArrayList<>();

  PageCheck(Tree tree, Path page, String text) {
    this.tree = tree;
    this.page = page;
    this.text = text;
    this.prose = blank(FENCE, text);
    this.generated = page.toString().contains("generated");
  }

  private static Set<String> foreignNames() {
    Path list = Path.of("src/test/resources/foreign-names.txt");
    try {
      return new HashSet<>(Files.readAllLines(list));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Replaces matches by blanks, so that positions stay. */
  private static String blank(Pattern pattern, String text) {
    return pattern.matcher(text).replaceAll(match -> match.group().replaceAll("[^\n]", " "));
  }

  /** What is wrong on the page, each with its line. */
  List<String> problems() {
    checkLinks();
    checkFences();
    checkTables();
    FOLDED_TABLE
        .matcher(prose)
        .results()
        .forEach(row -> report(row.start(), "a table folded into a paragraph"));
    if (!generated) {
      checkContents();
    }
    checkFigures();
    boolean history = page.endsWith("CHANGELOG.md");
    if (!history) {
      FENCE
          .matcher(text)
          .results()
          .filter(block -> Set.of("sh", "").contains(block.group(1)))
          .forEach(block -> checkCommands(block.group(2), block.start(2)));
      CODE.matcher(prose).results().forEach(code -> checkCode(code.group(1), code.start(1)));
    }
    checkPhrases();
    if (!generated) {
      checkProse();
    }
    return problems;
  }

  private void checkLinks() {
    for (MatchResult link : LINK.matcher(blank(CODE, prose)).results().toList()) {
      String target = link.group(1);
      if (target.matches("[a-z]+:.*")) {
        continue;
      }
      int hash = target.indexOf('#');
      String path = hash < 0 ? target : target.substring(0, hash);
      Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
      if (!path.isEmpty() && !Files.exists(file)) {
        report(link.start(), "no file " + target);
      } else if (hash >= 0 && !anchors(file).contains(target.substring(hash + 1))) {
        report(link.start(), "no heading " + target);
      }
    }
  }

  /** Figures that a page takes from others are there, to the digit. */
  private void checkFigures() {
    for (MatchResult block : FIGURES.matcher(text).results().toList()) {
      StringBuilder sources = new StringBuilder();
      for (String source : block.group(1).strip().split("\\s+")) {
        try {
          sources.append(Files.readString(page.resolveSibling(source)));
        } catch (IOException e) {
          report(block.start(), "no file " + source);
        }
      }
      Set<String> known = new HashSet<>();
      FIGURE.matcher(sources).results().forEach(figure -> known.add(figure.group()));
      String words = IMAGE_FILE.matcher(block.group(2)).replaceAll("");
      for (MatchResult figure : FIGURE.matcher(words).results().toList()) {
        if (!known.contains(figure.group())) {
          report(block.start(), "no source of the figure " + figure.group());
        }
      }
    }
  }

  /** A renderer drops what follows the backticks of a fence, and draws what follows a lone one. */
  private void checkFences() {
    List<MatchResult> fences = FENCE_LINE.matcher(text).results().toList();
    for (MatchResult fence : fences) {
      if (!fence.group(1).matches("[\\w-]*")) {
        report(fence.start(), "text on the line of a fence");
      }
    }
    if (fences.size() % 2 != 0) {
      report(fences.get(fences.size() - 1).start(), "a fence without its other end");
    }
  }

  /**
   * A renderer knows a table by its second row, ends it at a blank line, takes text right below for
   * a row, and drops cells that have no heading.
   */
  private void checkTables() {
    for (MatchResult table : TABLE.matcher(prose).results().toList()) {
      List<String> rows = prose.substring(table.start(), table.start(1)).lines().toList();
      if (rows.size() < 2 || !RULE.matcher(rows.get(1)).matches()) {
        report(table.start(), "a row of a table without a header: " + rows.get(0).strip());
        continue;
      }
      long bars = BAR.matcher(rows.get(1)).results().count();
      for (String row : rows) {
        if (BAR.matcher(row).results().count() != bars || !row.stripTrailing().endsWith("|")) {
          report(table.start(), "more or fewer cells than headings: " + row.strip());
        }
      }
      if (!table.group(1).isBlank()) {
        report(table.start(1), "text that becomes a row: " + table.group(1).strip());
      }
    }
  }

  /** A page that begins with a list of its sections lists all of them. */
  private void checkContents() {
    List<MatchResult> sections = SECTION.matcher(prose).results().toList();
    if (sections.isEmpty()) {
      return;
    }
    String head = text.substring(0, sections.get(0).start());
    if (!Pattern.compile("(?m)^[-*] .*]\\(#").matcher(head).find()) {
      return;
    }
    for (MatchResult section : sections) {
      Set<String> anchor = anchorsOf("# " + section.group(1));
      if (anchor.stream().noneMatch(name -> head.contains("(#" + name + ")"))) {
        report(section.start(), "not in the list of contents: " + section.group(1));
      }
    }
  }

  private Set<String> anchors(Path file) {
    return file.equals(page)
        ? anchorsOf(text)
        : ANCHORS.computeIfAbsent(
            file,
            other -> {
              try {
                return anchorsOf(Files.readString(other));
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
  }

  /** As GitHub makes them: lower case, blanks to hyphens, no punctuation, repeats numbered. */
  private static Set<String> anchorsOf(String markdown) {
    Set<String> anchors = new HashSet<>();
    for (MatchResult heading : HEADING.matcher(blank(FENCE, markdown)).results().toList()) {
      String words = LINK.matcher(heading.group(1)).replaceAll("").replace("[", "");
      String anchor =
          words
              .toLowerCase(Locale.ROOT)
              .replaceAll("[^\\p{L}\\p{N}_ -]", "")
              .strip()
              .replace(' ', '-');
      for (int i = 1; !anchors.add(i == 1 ? anchor : anchor + "-" + (i - 1)); i++) {}
    }
    return anchors;
  }

  private void checkCode(String code, int at) {
    String flat = code.replaceAll("\\s+", " ");
    checkCommands(flat, at);
    if (TEST.matcher(flat).matches()) {
      if (!tree.classes().containsKey(flat) && !FOREIGN_NAMES.contains(flat)) {
        report(at, "no test " + flat);
      }
    } else if (TYPE.matcher(flat).matches()) {
      checkWord(flat, at);
    }
    MatchResult member = match(MEMBER, flat);
    if (member != null) {
      checkMember(member, at);
    }
    MatchResult call = match(CALL, flat);
    if (call != null) {
      checkWord(call.group(1), at);
    }
    if (KEY.matcher(flat).matches()) {
      checkKey(flat, at);
    }
    if (METER.matcher(flat).matches()) {
      checkMeter(flat, at);
    }
  }

  private static MatchResult match(Pattern pattern, String code) {
    var matcher = pattern.matcher(code);
    return matcher.matches() ? matcher.toMatchResult() : null;
  }

  private void checkWord(String word, int at) {
    if (!tree.words().contains(word) && !FOREIGN_NAMES.contains(word)) {
      report(at, "no source names " + word);
    }
  }

  private void checkMember(MatchResult member, int at) {
    String source = tree.classes().get(member.group(1));
    String wanted = "\\b" + member.group(2) + (member.group(3).isEmpty() ? "\\b" : "");
    if (source == null) {
      if (!FOREIGN_NAMES.contains(member.group(1))) {
        report(at, "no class for " + member.group());
      }
    } else if (!member.group(2).equals("new")
        && !member.group(2).equals("java")
        && !Pattern.compile(wanted).matcher(source).find()) {
      report(at, "no member " + member.group());
    }
  }

  private void checkKey(String key, int at) {
    String suffix = key.replaceFirst("^(hbase\\.)?nvcache\\.", "");
    if (!tree.strings().contains(key)
        && !tree.strings().contains(suffix)
        && !tree.strings().contains("." + suffix)
        && !tree.strings().contains("nvcache." + suffix)) {
      report(at, "no source has the key " + key);
    }
  }

  private void checkMeter(String meter, int at) {
    String name = meter.replace('_', '.').replaceFirst("\\.total$", "");
    if (!tree.strings().contains(name)
        && !tree.strings().contains(name.replaceFirst("\\.bytes$", ""))
        && !tree.strings().contains(meter)) {
      report(at, "no source has the meter " + meter);
    }
  }

  private void checkCommands(String code, int at) {
    for (MatchResult file : FILE.matcher(code).results().toList()) {
      String name = file.group();
      boolean built = name.contains("/target/") || name.endsWith("/target");
      if (!built && !Files.exists(tree.root().resolve(name))) {
        report(at + file.start(), "no file " + name);
      }
    }
    for (MatchResult command : COMMAND.matcher(code).results().toList()) {
      String name = command.group(1);
      if (!name.equals("help") && !tree.strings().contains(name)) {
        report(at + command.start(), "no command " + name);
      }
    }
    for (MatchResult option : OPTION.matcher(code).results().toList()) {
      String name = option.group();
      if (!tree.options().contains(name) && !FOREIGN_OPTIONS.contains(name)) {
        report(at + option.start(), "no option " + name);
      }
    }
    for (MatchResult profiles : PROFILES.matcher(code).results().toList()) {
      for (String profile : profiles.group(1).split(",")) {
        if (!tree.profiles().contains(profile)) {
          report(at + profiles.start(), "no profile " + profile);
        }
      }
    }
    for (MatchResult tests : TESTS.matcher(code).results().toList()) {
      for (String test : tests.group(1).split(",")) {
        String name = test.replaceFirst("#.*$", "").replaceFirst("^.*\\.", "");
        if (!name.matches("NAME|NameTest|None|\\*Test") && !tree.classes().containsKey(name)) {
          report(at + tests.start(), "no test " + name);
        }
      }
    }
    for (MatchResult property : PROPERTY.matcher(code).results().toList()) {
      if (!tree.strings().contains(property.group(1))) {
        report(at + property.start(), "no property " + property.group(1));
      }
    }
  }

  private void checkPhrases() {
    PlainEnglish.odd(blank(CODE, prose))
        .forEach(phrase -> report(phrase.start(), "\"" + phrase.group() + '"'));
  }

  private void checkProse() {
    String words = blank(CODE, prose);
    ODD_WORD
        .matcher(words)
        .results()
        .forEach(word -> report(word.start(), "\"" + word.group().toLowerCase(Locale.ROOT) + '"'));
    int at = 0;
    for (String line : prose.split("\n", -1)) {
      boolean table = line.stripLeading().startsWith("|");
      boolean link = line.stripLeading().matches("(\\[|!\\[|<http).*");
      if (!table && !link && columns(line) > COLUMNS) {
        report(at, columns(line) + " columns");
      }
      at += line.length() + 1;
    }
  }

  /** Of what was not blanked. */
  private static int columns(String line) {
    String written = line.stripTrailing();
    return written.codePointCount(0, written.length());
  }

  private void report(int at, String what) {
    long line = 1 + text.substring(0, at).chars().filter(c -> c == '\n').count();
    problems.add(tree.root().relativize(page) + ":" + line + ": " + what);
  }
}
