// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs jcstress, which runs each pair of calls millions of times on real memory, in forks of its
 * own: no forbidden outcome may show, and of each broken variant the outcome that it stands for
 * must.
 */
final class JcstressTest {
  /** Milliseconds that each pair of calls is run with each set of compilers. */
  private static final String MILLIS = System.getProperty("nvcache.test.jcstressMillis", "400");

  @TempDir Path directory;

  private String run(String test) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            "org.openjdk.jcstress.Main",
            "-v",
            "-f",
            "1",
            "-fsm",
            "1",
            "-sc",
            "false",
            "-af",
            "NONE",
            "-iters",
            "2",
            "-time",
            MILLIS,
            "-t",
            test,
            "-r",
            directory.resolve("results").toString(),
            "-jvmArgs",
            "-Xmx256m -Dchronicle.analytics.disable=true"
                + " --add-opens=java.base/java.lang.reflect=ALL-UNNAMED"
                + " --add-exports=java.base/jdk.internal.ref=ALL-UNNAMED"
                + " --add-exports=java.base/sun.nio.ch=ALL-UNNAMED"));
    Process child =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor()).as(output).isZero();
    assertThat(output).contains("Error tests: No matches");
    System.out.println(output.substring(output.indexOf("RUN RESULTS")));
    return output;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SeqlockJcstress", "SlotReuseJcstress", "PinEvictJcstress", "CloseGetJcstress"})
  void shouldNeverShowWhatIsForbidden(String test) throws Exception {
    assertThat(run("io.nvcache.internal." + test + "$")).contains("Failed tests: No matches");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SeqlockJcstress", "SlotReuseJcstress", "PinEvictJcstress", "CloseGetJcstress"})
  void shouldCatchTheBrokenVariant(String test) throws Exception {
    assertThat(run("io.nvcache.internal." + test + ".Broken"))
        .contains("Interesting tests: 1 matching")
        .contains("caught");
  }
}
