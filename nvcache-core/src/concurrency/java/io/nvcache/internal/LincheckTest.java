// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.internal.index.BlockIndex;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Lincheck makes up calls of several threads and looks for answers that no order of the calls
 * explains: on real memory with real threads, and with a model checker that chooses where threads
 * change. The model checker sees native memory through {@link ModelledClasses}, and as if all
 * accesses took effect in the order of the program; the orders of real memory are {@link
 * JcstressTest}'s.
 */
final class LincheckTest {
  @TempDir Path directory;

  private record Outcome(int status, String output) {}

  private Outcome run(List<String> classPath, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    System.getProperties()
        .forEach(
            (name, value) -> {
              if (name.toString().startsWith("nvcache.test.")) {
                command.add("-D" + name + "=" + value);
              }
            });
    command.addAll(
        List.of(
            "-Xmx1g",
            "-XX:+UseSerialGC",
            "-Djdk.attach.allowAttachSelf=true",
            "-Dchronicle.analytics.disable=true",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-opens=java.base/java.nio=ALL-UNNAMED",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.util=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "-cp",
            String.join(File.pathSeparator, classPath),
            LincheckRun.class.getName()));
    command.addAll(List.of(arguments));
    Process child =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    System.out.println(String.join(" ", arguments) + "\n" + output);
    return new Outcome(child.waitFor(), output);
  }

  private Outcome runModel(ModelledClasses.Reader reader, String... arguments) throws Exception {
    Path modelled = directory.resolve("modelled");
    ModelledClasses.write(productClasses(), modelled, reader);
    return run(List.of(modelled.toString(), System.getProperty("java.class.path")), arguments);
  }

  private static Path productClasses() throws URISyntaxException {
    return Path.of(BlockIndex.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static void assertFine(Outcome outcome) {
    assertThat(outcome.output).contains("nothing that can't be");
    assertThat(outcome.status).isZero();
  }

  private static void assertCaught(Outcome outcome) {
    assertThat(outcome.output).contains("Invalid execution results");
    assertThat(outcome.status).isNotZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"index", "buffer", "cache", "closing"})
  void shouldExplainAllAnswersUnderStress(String what) throws Exception {
    assertFine(run(List.of(System.getProperty("java.class.path")), "stress", what));
  }

  @ParameterizedTest
  @ValueSource(strings = {"index", "buffer", "cache"})
  void shouldExplainAllAnswersWhereverThreadsChange(String what) throws Exception {
    assertFine(runModel(ModelledClasses.Reader.CHECKS, "model", what));
  }

  @Test
  void shouldCatchAReaderOfTheIndexThatDoesNotCheck() throws Exception {
    assertCaught(runModel(ModelledClasses.Reader.CHECKS, "model", "index", "broken"));
  }

  /** The check that stands between a reader of the buffer and another block's bytes. */
  @Test
  void shouldCatchAReaderOfTheBufferThatDoesNotCheck() throws Exception {
    assertCaught(runModel(ModelledClasses.Reader.BELIEVES, "model", "buffer"));
  }

  /** The whole engine, with the one check gone by which readers know that a block was replaced. */
  @Test
  void shouldCatchAnEngineWhoseReadersDoNotCheck() throws Exception {
    assertCaught(runModel(ModelledClasses.Reader.BELIEVES, "model", "cache"));
  }
}
