// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No cache takes what {@code -XX:MaxDirectMemorySize} bounds, or causes a collection for it. */
final class DirectMemoryTest {
  @ParameterizedTest
  @ValueSource(strings = {"-XX:-DisableExplicitGC", "-XX:+DisableExplicitGC"})
  void shouldServeWhereOtherCodeHasTakenAllDirectMemory(String flag, @TempDir Path directory)
      throws IOException, InterruptedException {
    List<String> flags =
        List.of(
            "-Xmx512m",
            "-XX:+UseSerialGC",
            "-XX:MaxDirectMemorySize=16m",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=error",
            flag);
    assertThat(ChildJvm.run(flags, DirectMemoryChild.class, directory.toString()))
        .contains("sealed held", "tiers held", "collections: 0\n");
  }
}
