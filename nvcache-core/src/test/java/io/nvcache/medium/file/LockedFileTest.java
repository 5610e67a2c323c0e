// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.CloseAction;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LockedFileTest {
  @TempDir Path directory;

  @Test
  void shouldDeleteWhatItCannotWipe() throws IOException {
    Path file = directory.resolve("f");
    LockedFile held = LockedFile.open(file);
    held.close();
    assertThatThrownBy(held::wipe).isInstanceOf(IOException.class);
    assertThat(file).as("for another try").exists();

    assertThatThrownBy(() -> held.end(CloseAction.WIPE)).isInstanceOf(IOException.class);

    assertThat(file).doesNotExist();
  }
}
