// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptsTest {
  private static final Path SCRIPTS = Path.of("..", "..", "scripts").toAbsolutePath().normalize();

  @TempDir private Path directory;

  /** As an operator puts one on the path. */
  @ParameterizedTest
  @ValueSource(strings = {"nvcache", "run", "test"})
  void shouldStartByALink(String name) throws Exception {
    Path link = Files.createSymbolicLink(directory.resolve(name), SCRIPTS.resolve(name));
    Process process =
        new ProcessBuilder(link.toString(), "--help").redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(said).isZero();
    assertThat(said).startsWith("Usage: ");
  }
}
