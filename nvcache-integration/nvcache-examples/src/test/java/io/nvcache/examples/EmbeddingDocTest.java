// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the pages for embedding with the programs: each block of Java there is a region of a
 * source file, which a comment before it names, and each region is there.
 */
final class EmbeddingDocTest {
  private static final Path DOCS = Path.of("..", "..", "docs");
  private static final Path SOURCES = Path.of("src/main/java/io/nvcache/examples");

  private static final Pattern INCLUDED =
      Pattern.compile("<!-- (\\w+\\.java#[\\w-]+) -->\n```java\n(.*?)```", Pattern.DOTALL);
  private static final Pattern REGION =
      Pattern.compile(
          "^ *// region ([\\w-]+)\n(.*?)^ *// endregion \\1\n", Pattern.DOTALL | Pattern.MULTILINE);

  private static Map<String, String> regions() throws IOException {
    Map<String, String> regions = new TreeMap<>();
    List<Path> files;
    try (Stream<Path> found = Files.list(SOURCES)) {
      files = found.toList();
    }
    for (Path file : files) {
      Matcher matcher = REGION.matcher(Files.readString(file));
      for (MatchResult region : matcher.results().toList()) {
        String code = region.group(2).stripTrailing().stripIndent() + "\n";
        regions.put(file.getFileName() + "#" + region.group(1), code);
      }
    }
    return regions;
  }

  @Test
  void shouldShowEachRegionAsItIsCompiled() throws IOException {
    Map<String, String> shown = new TreeMap<>();
    int blocks = 0;
    for (Path page :
        List.of("start/embed", "reference/write-a-policy", "reference/write-a-medium").stream()
            .map(name -> DOCS.resolve(name + ".md"))
            .toList()) {
      String doc = Files.readString(page);
      INCLUDED.matcher(doc).results().forEach(block -> shown.put(block.group(1), block.group(2)));
      blocks += doc.split("```java", -1).length - 1;
    }
    assertThat(shown).hasSizeGreaterThan(5).isEqualTo(regions());
    assertThat(blocks).as("blocks of Java").isEqualTo(shown.size());
  }
}
