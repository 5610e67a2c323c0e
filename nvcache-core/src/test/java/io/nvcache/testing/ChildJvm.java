// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM with the flags and the class path of this one, for what may end a JVM. */
public final class ChildJvm {
  private ChildJvm() {}

  /** Runs to the end, which must be a good one, and returns all that was printed. */
  public static String run(Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    return run(List.of(), main, arguments);
  }

  /** The same with more flags, which come after this JVM's own. */
  public static String run(List<String> moreFlags, Class<?> main, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!flag.startsWith("-javaagent")) {
        command.add(flag);
      }
    }
    command.addAll(moreFlags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    Collections.addAll(command, arguments);
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(child.exitValue()).as(output).isZero();
    return output;
  }
}
