// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.CloseAction;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
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

  /** File systems give the inode of a deleted file to the next that is made. */
  @Test
  void shouldTakeNoNewFileForOneThatIsJustClosed() throws Exception {
    CompletableFuture<Void> other = CompletableFuture.runAsync(() -> makeAndDelete("other"));

    makeAndDelete("own");

    other.join();
  }

  private void makeAndDelete(String name) {
    try {
      for (int i = 0; i < 3000; i++) {
        try (LockedFile held = LockedFile.open(directory.resolve(name + i))) {
          held.end(CloseAction.DELETE);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
