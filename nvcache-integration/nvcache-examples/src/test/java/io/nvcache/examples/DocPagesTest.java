// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Holds all pages to the tree, by {@link PageCheck}, and {@link PageCheck} to made-up mistakes. */
final class DocPagesTest {
  private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

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

  @Test
  void shouldFindPlainEnglishInTheCommentsOfExportedPackages() throws IOException {
    Path core = ROOT.resolve("nvcache-core/src/main/java/io/nvcache");
    List<String> problems = new ArrayList<>();
    for (String room :
        List.of("", "admission", "control", "eviction", "jmx", "medium", "micrometer", "tiered")) {
      try (Stream<Path> found = Files.list(core.resolve(room))) {
        for (Path file : found.filter(name -> name.toString().endsWith(".java")).toList()) {
          Files.readAllLines(file).stream()
              .filter(line -> line.strip().matches("(/\\*\\*|\\*|//).*"))
              .filter(line -> PageCheck.ODD_PHRASE.matcher(line).find())
              .forEach(line -> problems.add(file.getFileName() + ": " + line.strip()));
        }
      }
    }
    assertThat(problems).isEmpty();
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
      })
  void shouldFindTheMistake(String text, String named) {
    Path page = ROOT.resolve("docs/made-up.md");

    assertThat(new PageCheck(tree, page, "# Made up\n\n" + text + "\n").problems())
        .singleElement()
        .asString()
        .contains(named);
  }

  @Test
  void shouldFindFiguresThatTheirSourceDoesNotHave() {
    Path page = ROOT.resolve("docs/made-up.md");
    String text = "<!-- figures: evidence/measurements.md -->\n| reads | 3.02 | 9.87 |\n";

    assertThat(new PageCheck(tree, page, "# Made up\n\n" + text).problems())
        .singleElement()
        .asString()
        .contains("9.87");
  }

  @Test
  void shouldFindLongLinesOfProseAlone() {
    Path page = ROOT.resolve("docs/made-up.md");
    String words = "word ".repeat(30).strip();
    String text = "# Made up\n\n" + words + "\n\n| " + words + " |\n\n```\n" + words + "\n```\n";

    assertThat(new PageCheck(tree, page, text).problems())
        .singleElement()
        .asString()
        .contains("docs/made-up.md:3");
  }
}
