// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.device.MediumChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheSettingsTest {
  @TempDir private Path directory;

  private static CacheSettings at(Path path) {
    return new CacheSettings(List.of(MediumChoice.LLPL), path, 1, 1, 0.1, 0, Duration.ofSeconds(1));
  }

  /** All caches are open at once, and a directory of heaps serves one of them. */
  @Test
  void shouldGiveEachPolicyAPlaceOfItsOwnInADirectory() {
    assertThat(at(directory).place(PolicyChoice.PAPER)).isEqualTo(directory.resolve("paper"));
    assertThat(at(directory).place(PolicyChoice.DEFAULT)).isEqualTo(directory.resolve("default"));
  }

  @Test
  void shouldAddThePolicyToTheNameOfAFile() {
    assertThat(at(directory.resolve("m")).place(PolicyChoice.PAPER))
        .isEqualTo(directory.resolve("m-paper"));
  }
}
