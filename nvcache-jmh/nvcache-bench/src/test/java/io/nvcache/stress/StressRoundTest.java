// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.device.MediumChoice;
import io.nvcache.stress.StressRun.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StressRoundTest {
  @TempDir private Path directory;

  private StressRound at(Path path) {
    Duration second = Duration.ofSeconds(1);
    return new StressRound(
        new Settings(second, second, 1, MediumChoice.LLPL, List.of(path), 1 << 20, Set.of(), 0, 1),
        Map.of());
  }

  /** Next to it may be another file system, without persistent memory. */
  @Test
  void shouldStayInADirectory() {
    assertThat(at(directory).places(3)).containsExactly(directory.resolve("round-3"));
  }

  @Test
  void shouldNumberFiles() {
    assertThat(at(directory.resolve("m")).places(3)).containsExactly(directory.resolve("m-3"));
  }
}
