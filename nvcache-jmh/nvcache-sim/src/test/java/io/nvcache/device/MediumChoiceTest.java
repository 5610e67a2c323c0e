// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MediumChoiceTest {
  private static final long CAPACITY_BYTES = 1 << 20;

  @TempDir private Path directory;

  /** The medium deletes its file when it is closed. */
  @ParameterizedTest
  @EnumSource(names = {"MAPPED", "FLASH"})
  void shouldLeaveAFileThatExistsAlone(MediumChoice choice) throws IOException {
    Path file = Files.writeString(directory.resolve("notes"), "a user's own");

    assertThatThrownBy(() -> choice.open(file, 1, CAPACITY_BYTES))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("notes");

    assertThat(file).hasContent("a user's own");
  }

  @Test
  void shouldDeleteTheFileThatItMade() throws IOException {
    Path file = directory.resolve("new");
    try (Medium medium = MediumChoice.MAPPED.open(file, 1, CAPACITY_BYTES)) {
      assertThat(medium.path()).contains(file);
      assertThat(file).exists();
    }
    assertThat(file).doesNotExist();
  }
}
