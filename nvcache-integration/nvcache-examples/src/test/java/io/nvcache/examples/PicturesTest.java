// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
    for (Path image : files(IMAGES, ".svg")) {
      assertThat(image).content().contains("prefers-color-scheme: dark");
    }
  }
}
