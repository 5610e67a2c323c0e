// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Compares the pictures of the pages with their data. To draw them again: {@code
 * -Dnvcache.pictures.draw=true}.
 */
final class PicturesTest {
  private static final Path DOCS = Path.of("..", "..", "docs");
  private static final Path DATA = DOCS.resolve("evidence/data");
  private static final Path IMAGES = DOCS.resolve("images");

  private static final Pattern WIDTH = Pattern.compile("viewBox=\"0 0 (\\d+) ");
  private static final Pattern TEXT =
      Pattern.compile("class=\"(\\w+)\" x=\"([\\d.]+)\" [^>]*text-anchor=\"(\\w+)\">([^<]+)<");

  private static List<Path> files(Path directory, String ending) throws IOException {
    try (Stream<Path> found = Files.list(directory)) {
      return found.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  @Test
  void shouldShowTheData() throws IOException {
    if (Boolean.getBoolean("nvcache.pictures.draw")) {
      Picture.main(new String[] {DATA.toString(), IMAGES.toString()});
    }
    List<Path> data = files(DATA, ".json");
    assertThat(data).isNotEmpty();
    for (Path json : data) {
      assertThat(Picture.imageOf(json, IMAGES))
          .content()
          .isEqualTo(Picture.draw(Files.readString(json)));
    }
  }

  @Test
  void shouldBeLegibleInDarkMode() throws IOException {
    for (String images : List.of("images", "inside/images", "evidence/generated/images")) {
      assertThat(files(DOCS.resolve(images), ".svg")).isNotEmpty();
      for (Path image : files(DOCS.resolve(images), ".svg")) {
        assertThat(image).content().contains("prefers-color-scheme: dark");
      }
    }
  }

  /** A reader's font may be wide: DejaVu Sans has about half an em for each character. */
  @Test
  void shouldKeepTextsInsideThePicture() throws IOException {
    List<String> outside = new ArrayList<>();
    for (Path image : files(IMAGES, ".svg")) {
      outside.addAll(outside(Files.readString(image)));
    }
    assertThat(outside).isEmpty();
  }

  @Test
  void shouldFindATextThatLeavesThePicture() {
    String row = "{\"name\": \"ours\", \"value\": 1, \"shown\": \"0.660, %s\"}";
    String panel = "{\"panel\": \"After\", \"to\": 1}\n";

    assertThat(outside(Picture.draw(panel + String.format(row, "")))).isEmpty();
    assertThat(outside(Picture.draw(panel + String.format(row, "at 1.01 times the bytes"))))
        .containsExactly("0.660, at 1.01 times the bytes");
  }

  private static List<String> outside(String svg) {
    double width =
        WIDTH.matcher(svg).results().mapToDouble(x -> Double.parseDouble(x.group(1))).sum();
    List<String> outside = new ArrayList<>();
    for (MatchResult text : TEXT.matcher(svg).results().toList()) {
      double each = text.group(1).equals("note") ? 12 * 0.51 : 14 * 0.56;
      double length = text.group(4).length() * each;
      double left = Double.parseDouble(text.group(2));
      if (text.group(3).equals("middle")) {
        left -= length / 2;
      } else if (text.group(3).equals("end")) {
        left -= length;
      }
      if (left < 0 || left + length > width) {
        outside.add(text.group(4));
      }
    }
    return outside;
  }
}
