// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs jcstress, which runs each pair of calls millions of times on real memory, in forks of its
 * own: no forbidden outcome may show, and of each broken variant the outcome that it stands for
 * must; so must a forbidden one where a check was {@linkplain CutClass cut out} of the product.
 */
final class JcstressTest {
  /** Milliseconds that each pair of calls is run with each set of compilers. */
  private static final int MILLIS = Integer.getInteger("nvcache.test.jcstressMillis", 400);

  /** The same for the product with a check cut out: the gaps in it are narrower than in a toy. */
  private static final int CUT_MILLIS = 10 * MILLIS;

  @TempDir Path directory;

  private record Outcome(int status, String output) {}

  private String run(String test) throws IOException, InterruptedException {
    Outcome outcome = run(test, System.getProperty("java.class.path"), MILLIS);
    assertThat(outcome.status).as(outcome.output).isZero();
    return outcome.output;
  }

  private Outcome run(String test, String classPath, int millis) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
            "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
            "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "-cp",
            classPath,
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
            Integer.toString(millis),
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
    int status = child.waitFor();
    assertThat(output).contains("RUN RESULTS", "Error tests: No matches");
    System.out.println(output.substring(output.indexOf("RUN RESULTS")));
    return new Outcome(status, output);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SeqlockJcstress",
        "SlotReuseJcstress",
        "NeighbourJcstress",
        "PinEvictJcstress",
        "RunPinJcstress",
        "AppendBufferJcstress",
        "BlockReadJcstress",
        "FenceJcstress",
        "CallFenceJcstress",
        "CloseGetJcstress",
        "CloseGetJcstress.SlowGet",
        "PinCloseJcstress",
        "PinRemoveJcstress",
        "PinRemoveJcstress.Eviction"
      })
  void shouldNeverShowWhatIsForbidden(String test) throws Exception {
    assertThat(run("io.nvcache.internal." + test + "$")).contains("Failed tests: No matches");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"SeqlockJcstress", "SlotReuseJcstress", "PinEvictJcstress", "FenceJcstress"})
  void shouldCatchTheBrokenVariant(String test) throws Exception {
    assertThat(run("io.nvcache.internal." + test + ".Broken"))
        .contains("Interesting tests: 1 matching")
        .contains("caught");
  }

  @ParameterizedTest
  @CsvSource({
    "AppendBufferJcstress, BUFFER_UNCHECKED",
    "BlockReadJcstress, READ_JOINED_UNCOUNTED",
    "CloseGetJcstress.SlowGet, CLOSE_UNAWAITED",
    "PinCloseJcstress, PIN_READ_TOO_LATE",
    "PinRemoveJcstress, READ_UNCHECKED",
    "PinRemoveJcstress.Eviction, READ_UNCHECKED"
  })
  void shouldCatchTheProductWithoutTheCheck(String test, CutClass cut) throws Exception {
    Path cutClasses = directory.resolve("cut");
    cut.write(cutClasses);

    Outcome outcome =
        run(
            "io.nvcache.internal." + test + "$",
            cutClasses + File.pathSeparator + System.getProperty("java.class.path"),
            CUT_MILLIS);

    assertThat(outcome.output).contains("Failed tests: 1 matching");
    assertThat(outcome.status).isNotZero();
  }
}
