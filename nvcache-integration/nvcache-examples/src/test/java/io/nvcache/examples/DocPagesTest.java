// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks all pages by {@link PageCheck}, and {@link PageCheck} by made-up mistakes. */
final class DocPagesTest {
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");

  private static Tree tree;

  @BeforeAll
  static void readTree() throws IOException {
    tree = Tree.read(ROOT);
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    try (Stream<Path> found = Files.walk(ROOT.resolve("docs"))) {
      pages.addAll(found.filter(file -> file.toString().endsWith(".md")).sorted().toList());
    }
    try (Stream<Path> found = Files.list(ROOT)) {
      pages.addAll(found.filter(file -> file.toString().endsWith(".md")).sorted().toList());
    }
    return pages;
  }

  @Test
  void shouldFindNothingWrongOnAnyPage() throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path page : pages()) {
      problems.addAll(new PageCheck(tree, page, Files.readString(page)).problems());
    }
    assertThat(problems).isEmpty();
    assertThat(pages()).hasSizeGreaterThan(30);
  }

  /** README's first job: the answer of each task is two links away at most. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "docs/start/hbase.md#install",
        "docs/start/cassandra.md#install",
        "docs/start/lucene.md#install",
        "docs/start/embed.md#a-first-block",
        "docs/decide/does-it-help.md",
        "docs/decide/medium.md",
        "docs/decide/size.md#capacity",
        "docs/run/tune.md#overhead-target",
        "docs/run/fix.md#hits-are-low",
        "docs/run/upgrade.md#upgrade",
        "SECURITY.md",
      })
  void shouldReachTheTaskFromReadmeInTwoClicks(String target) throws IOException {
    Set<String> first = links("README.md");
    Set<String> reached = new TreeSet<>(first);
    for (String page : first) {
      reached.addAll(links(page.replaceFirst("#.*", "")));
    }
    assertThat(reached).contains(target);
  }

  /** Links to other files of the tree, and to the sections of the page. */
  private static Set<String> links(String page) throws IOException {
    Set<String> links = new TreeSet<>();
    Path file = ROOT.resolve(page);
    if (page.endsWith(".md")) {
      for (MatchResult link : LINK.matcher(Files.readString(file)).results().toList()) {
        String target = link.group(1);
        if (target.startsWith("#")) {
          links.add(page + target);
        } else if (!target.contains(":")) {
          String[] parts = target.split("#", 2);
          Path path = ROOT.relativize(file.resolveSibling(parts[0]).normalize());
          links.add(path + (parts.length == 2 ? "#" + parts[1] : ""));
        }
      }
    }
    return links;
  }

  @Test
  void shouldKeepFirstPagesShort() throws IOException {
    assertThat(words("README.md")).isLessThanOrEqualTo(700);
    for (String page : List.of("hbase", "cassandra", "opensearch", "lucene", "embed")) {
      assertThat(words("docs/start/" + page + ".md")).as(page).isLessThanOrEqualTo(1_300);
    }
  }

  private static int words(String page) throws IOException {
    return Files.readString(ROOT.resolve(page)).strip().split("\\s+").length;
  }

  @Test
  void shouldFindPlainEnglishInTheJavadocOfExportedPackages() throws IOException {
    List<Path> exported = new ArrayList<>();
    for (Path file : sources()) {
      if (isExported(file)) {
        exported.add(file);
      }
    }
    assertThat(odd(exported, PlainEnglish::comments)).isEmpty();
  }

  @Test
  void shouldFindPlainEnglishInStrings() throws IOException {
    assertThat(odd(sources(), PlainEnglish::strings)).isEmpty();
  }

  /** Only maintainers read these, so a few may slip in; they must not become many again. */
  @Test
  void shouldFindMostlyPlainEnglishInComments() throws IOException {
    assertThat(odd(sources(), PlainEnglish::comments)).hasSizeLessThanOrEqualTo(40);
    assertThat(sources()).hasSizeGreaterThan(500);
  }

  /** Returns what is not plain English in the texts of these files, each with its file. */
  private static List<String> odd(List<Path> files, Function<String, Stream<String>> textsOfSource)
      throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path file : files) {
      textsOfSource
          .apply(Files.readString(file))
          .filter(text -> !PlainEnglish.odd(text).isEmpty())
          .forEach(text -> problems.add(file.getFileName() + ": " + text.strip()));
    }
    return problems;
  }

  /** The main sources of all modules. */
  private static List<Path> sources() throws IOException {
    try (Stream<Path> found = Files.walk(ROOT)) {
      return found
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/main/java/"))
          .toList();
    }
  }

  /** Whether users see the package of a source: by its module, or as a host's first package. */
  private static boolean isExported(Path source) throws IOException {
    Path root = source;
    while (!root.endsWith("src/main/java")) {
      root = root.getParent();
    }
    Path module = root.resolve("module-info.java");
    String room = root.relativize(source.getParent()).toString().replace('/', '.');
    return Files.exists(module)
        ? Files.readString(module).contains("exports " + room + ";")
        : room.matches("io\\.nvcache\\.(hbase|hbase\\.site|cassandra|lucene|opensearch)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "See [it](use/no-such-page.md). | use/no-such-page.md",
        "See [it](README.md#no-such-heading). | #no-such-heading",
        "See [it](#no-such-heading). | #no-such-heading",
        "`NoSuchCacheClass` does it. | NoSuchCacheClass",
        "`NoSuchThingTest` holds it. | NoSuchThingTest",
        "`BlockCache.noSuchMethod` does it. | BlockCache.noSuchMethod",
        "Call `noSuchMethodAnywhere()`. | noSuchMethodAnywhere",
        "Run `scripts/no-such-script`. | scripts/no-such-script",
        "Run `scripts/nvcache trace --no-such-option`. | --no-such-option",
        "Run `scripts/nvcache no-such-command`. | no-such-command",
        "Take `--no-such-option`. | --no-such-option",
        "Set `hbase.nvcache.no.such.key`. | hbase.nvcache.no.such.key",
        "Set `nvcache.no.such.key`. | nvcache.no.such.key",
        "Look at `nvcache_no_such_meter_total`. | nvcache_no_such_meter_total",
        "Run `mvn -Pno-such-profile verify`. | no-such-profile",
        "Run `mvn test -Dtest=NoSuchTest`. | NoSuchTest",
        "Set `-Dnvcache.test.noSuchProperty=1`. | nvcache.test.noSuchProperty",
        "Look into `nvcache-core/src/no/such/File.java`. | nvcache-core/src/no/such/File.java",
        "Nobody knows. | nobody",
        "It lies beside the index. | beside",
        "Take those of HBase. | those of",
        "It has a key of its own. | of its own",
        "It stands for a key. | stands",
      })
  void shouldFindTheMistake(String text, String named) {
    Path page = ROOT.resolve("docs/made-up.md");

    assertThat(new PageCheck(tree, page, "# Made up\n\n" + text + "\n").problems())
        .singleElement()
        .asString()
        .contains(named);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "| a | b |/| 1 | 2 |; without a header: | a | b |",
        "| a | b |/|---|--:|/| 1 | 2 |//| 3 | 4 |; without a header: | 3 | 4 |",
        "| 1 | 2 |; without a header: | 1 | 2 |",
        "| a | b |/|---|/| 1 |; than headings: | a | b |",
        "| a | b |/|---|---|/| 1 | 2 | 3 |; than headings: | 1 | 2 | 3 |",
        "| a | b |/|---|---|/| 1 |; than headings: | 1 |",
        "| a | b |/|---|---|/| `x | y` | 2 |; than headings: | `x | y` | 2 |",
        "| a | b |/|---|---|/| 1 | 2; than headings: | 1 | 2",
        "| a | b |/|---|---|/| 1 | 2 |/And so on.; becomes a row: And so on.",
      })
  void shouldFindTheBrokenTable(String lines, String named) {
    Path page = ROOT.resolve("docs/made-up.md");
    String text = lines.replace('/', '\n');

    assertThat(new PageCheck(tree, page, "# Made up\n\n" + text + "\n").problems())
        .singleElement()
        .asString()
        .contains(named);
  }

  @Test
  void shouldAcceptWholeTables() {
    Path page = ROOT.resolve("docs/made-up.md");
    String first = "| a | b |\n|:-:|--:|\n| `x \\| y` | |\n\n";
    String listed = "- In a list:\n\n  | a |\n  |---|\n  | 1 |\n\nAnd so on.\n";

    assertThat(new PageCheck(tree, page, "# Made up\n\n" + first + listed).problems()).isEmpty();
  }

  @Test
  void shouldFindFiguresThatTheirSourceDoesNotHave() {
    Path page = ROOT.resolve("docs/made-up.md");
    String text = "<!-- figures: evidence/measurements.md -->\nReads: 3.02 and 9.87 per ms\n";

    assertThat(new PageCheck(tree, page, "# Made up\n\n" + text).problems())
        .singleElement()
        .asString()
        .contains("9.87");
  }

  @Test
  void shouldFindLongLinesOfProseAlone() {
    Path page = ROOT.resolve("docs/made-up.md");
    String words = "word ".repeat(30).strip();
    String table = "\n| " + words + " |\n|---|\n";
    String text = "# Made up\n\n" + words + "\n" + table + "\n```\n" + words + "\n```\n";

    assertThat(new PageCheck(tree, page, text).problems())
        .singleElement()
        .asString()
        .contains("docs/made-up.md:3");
  }
}
