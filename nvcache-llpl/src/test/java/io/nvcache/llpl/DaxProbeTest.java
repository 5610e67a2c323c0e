// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DaxProbeTest {
  @TempDir Path directory;

  @Test
  void shouldNotTakeSharedMemoryForPersistentMemory() {
    Path sharedMemory = Path.of("/dev/shm");
    assumeTrue(Files.isWritable(sharedMemory), "no tmpfs at /dev/shm");

    assertThat(DaxProbe.isDax(sharedMemory)).isFalse();
  }

  @Test
  void shouldLeaveNothingBehind() {
    DaxProbe.isDax(directory);

    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void shouldPromiseNothingOfADirectoryItCantUse() {
    assertThat(DaxProbe.isDax(directory.resolve("nowhere"))).isFalse();
  }
}
