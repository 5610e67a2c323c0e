// SPDX-License-Identifier: Apache-2.0
package io.nvcache.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Another JVM with the class path of this one, for what may end a JVM or wants other flags. */
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
    return run(command(moreFlags, main, List.of(arguments)));
  }

  /** What starts such a JVM, for those who want to wait for it in their own way. */
  public static List<String> command(
      List<String> moreFlags, Class<?> main, List<String> arguments) {
    List<String> flags = new ArrayList<>();
    for (String flag : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
      if (!flag.startsWith("-javaagent")) {
        flags.add(flag);
      }
    }
    flags.addAll(moreFlags);
    Path javaHome = Path.of(System.getProperty("java.home"));
    return command(javaHome, flags, main, arguments.toArray(String[]::new));
  }

  /** What starts a JVM of any JDK with these flags and no others. */
  public static List<String> command(
      Path javaHome, List<String> flags, Class<?> main, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(javaHome.resolve("bin").resolve("java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    command.addAll(List.of(arguments));
    return command;
  }

  /** Runs a command to the end, which must be a good one, and returns all that was printed. */
  public static String run(List<String> command) throws IOException, InterruptedException {
    Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(child.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(child.exitValue()).as(output).isZero();
    return output;
  }
}
