// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Hostile callers next to the naive model, in separate processes. A short hunt unless told
 * otherwise; docs/inside/reliability.md has the properties.
 */
final class HuntTest {
  private static final long STEPS = Long.getLong("nvcache.test.huntSteps", 60_000);
  private static final long SEED = Long.getLong("nvcache.test.huntSeed", 20_261_123);

  @TempDir Path directory;

  @Test
  void shouldFindNothing() throws Exception {
    Hunt hunt = new Hunt(directory, SEED, STEPS);
    String found = hunt.run();
    System.out.println(
        "hunt: seed " + SEED + ", " + hunt.taken() + " steps on " + Runtime.version());
    assertThat(found).isEmpty();
  }

  /** A hunt that misses these would find nothing whatever there was. */
  @ParameterizedTest
  @CsvSource({
    "crash, by a crash of the JVM",
    "throw, planted throw threw Planted",
    "exit, ended with 0 after 2 steps"
  })
  void shouldTellOfWhatHappens(String planted, String told) throws Exception {
    Hunt hunt = new Hunt(directory, SEED, STEPS, planted);

    assertThat(hunt.run())
        .contains(told)
        .contains("again: -Dnvcache.test.huntSeed=" + SEED)
        .containsPattern("2: planted " + planted);
  }
}
