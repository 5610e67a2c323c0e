// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Another JVM with the flags and the class path of this one. */
final class ChildJvm {
  private ChildJvm() {}

  static Process start(
      Class<?> main, List<String> moreFlags, Map<String, String> environment, String... arguments)
      throws IOException {
    return start(List.of(), main, moreFlags, environment, arguments);
  }

  private static Process start(
      List<String> under,
      Class<?> main,
      List<String> moreFlags,
      Map<String, String> environment,
      String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(under);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!flag.startsWith("-javaagent")) {
        command.add(flag);
      }
    }
    command.addAll(moreFlags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    Collections.addAll(command, arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    return builder.start();
  }

  /** Runs to the end, which must be a good one, and returns all that was printed. */
  static String run(
      Class<?> main, List<String> moreFlags, Map<String, String> environment, String... arguments)
      throws Exception {
    return finish(start(main, moreFlags, environment, arguments));
  }

  /** The same under another command, which must be able to run one. */
  static String runUnder(List<String> command, Class<?> main, String... arguments)
      throws Exception {
    return finish(start(command, main, List.of(), Map.of(), arguments));
  }

  private static String finish(Process child) throws Exception {
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(child.exitValue()).as(output).isZero();
    return output;
  }
}
