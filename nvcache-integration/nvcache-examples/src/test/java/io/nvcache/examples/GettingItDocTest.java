// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Holds what the documents say about getting the artefacts to the build. */
final class GettingItDocTest {
  private static final Path ROOT = Path.of("..", "..");

  private static final Pattern XML = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL);

  /** The modules of a command, which may be broken after a backslash or between two words. */
  private static final Pattern MODULES =
      Pattern.compile("\\bmvn\\b[^`]*?\\s-pl[\\s\\\\]+([\\w.,/-]+)");

  private static String version() throws IOException {
    return find(
        ROOT.resolve("pom.xml"), "<artifactId>nvcache-parent</artifactId>\\s*<version>([^<]+)<");
  }

  private static String find(Path file, String pattern) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(Files.readString(file));
    assertThat(matcher.find()).as("%s in %s", pattern, file).isTrue();
    return matcher.group(1);
  }

  /** What the page has to be pasted into a POM. */
  private static Document snippet(String page) throws Exception {
    List<MatchResult> blocks =
        XML.matcher(Files.readString(ROOT.resolve(page)))
            .results()
            .filter(block -> block.group(1).contains("<dependencyManagement>"))
            .toList();
    assertThat(blocks).as("blocks for a POM in %s", page).hasSize(1);
    return parse("<project>" + blocks.get(0).group(1) + "</project>");
  }

  private static Document parse(String xml) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(xml)));
  }

  /** As {@code groupId:artifactId:classifier}. */
  private static Set<String> dependencies(Document pom) {
    Set<String> all = new TreeSet<>();
    NodeList found = pom.getElementsByTagName("dependency");
    for (int i = 0; i < found.getLength(); i++) {
      Element dependency = (Element) found.item(i);
      all.add(
          Stream.of("groupId", "artifactId", "classifier")
              .map(tag -> text(dependency, tag))
              .collect(Collectors.joining(":")));
    }
    return all;
  }

  private static String text(Element element, String tag) {
    NodeList found = element.getElementsByTagName(tag);
    return found.getLength() == 0 ? "" : found.item(0).getTextContent();
  }

  @Test
  void shouldNameTheVersionOfTheProjectAndWhatTheBomManages() throws Exception {
    Document snippet = snippet("docs/start/embed.md");
    NodeList versions = snippet.getElementsByTagName("version");
    assertThat(versions.getLength()).isEqualTo(1);
    assertThat(versions.item(0).getTextContent()).isEqualTo(version());

    Set<String> managed =
        dependencies(parse(Files.readString(Path.of("..", "nvcache-bom", "pom.xml"))));
    Set<String> wanted = dependencies(snippet);
    assertThat(wanted.remove("io.nvcache:nvcache-bom:")).isTrue();
    assertThat(managed).containsAll(wanted);
  }

  @Test
  void shouldNameTheVersionOfTheProjectInTheBom() throws Exception {
    assertThat(
            find(
                Path.of("..", "nvcache-bom", "pom.xml"),
                "<artifactId>nvcache-bom</artifactId>\\s*<version>([^<]+)<"))
        .isEqualTo(version());
  }

  @Test
  void shouldBuildModulesThatThereAre() throws IOException {
    List<Path> pages;
    try (Stream<Path> found = Files.walk(ROOT.resolve("docs"))) {
      pages = new ArrayList<>(found.filter(page -> page.toString().endsWith(".md")).toList());
    }
    pages.add(ROOT.resolve("README.md"));
    pages.add(ROOT.resolve("CONTRIBUTING.md"));
    int commands = 0;
    for (Path page : pages) {
      for (MatchResult command : MODULES.matcher(Files.readString(page)).results().toList()) {
        commands++;
        for (String module : command.group(1).split(",")) {
          assertThat(ROOT.resolve(module).resolve("pom.xml")).as("in %s", page).exists();
        }
      }
    }
    assertThat(commands).isGreaterThan(10);
  }

  @Test
  void shouldCopyJarsThatTheBuildMakes() throws IOException {
    assertThat(Files.readString(ROOT.resolve("docs/start/hbase.md")))
        .contains("nvcache-hbase/target/nvcache-hbase-*-server.jar");
    find(Path.of("..", "nvcache-hbase", "pom.xml"), "<classifier>(server)</classifier>");
    assertThat(Files.readString(ROOT.resolve("docs/start/cassandra.md")))
        .contains("nvcache-cassandra/target/nvcache-cassandra-*-agent.jar");
    find(Path.of("..", "nvcache-cassandra", "pom.xml"), "<classifier>(agent)</classifier>");
  }
}
