// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.writelog.Propagation;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Starts programs with one flag, or without it, over one root and one log. */
final class AgentJvm {
  private final Path agent;
  private final Path errors;
  private final Path output;
  private final Path root;
  private final Path log;
  private String classPath;
  private List<String> limit = List.of();
  private int exitStatus;

  /**
   * Makes the root.
   *
   * @param classes where the programs are
   */
  AgentJvm(Path agent, Path directory, Class<?> classes) throws IOException {
    this.agent = agent;
    Path real = Files.createDirectories(directory).toRealPath();
    this.errors = real.resolve("errors");
    this.output = real.resolve("output");
    this.log = real.resolve("log");
    this.root = Files.createDirectory(real.resolve("root"));
    this.classPath = locationOf(classes);
  }

  Path root() {
    return root;
  }

  Path log() {
    return log;
  }

  /** Lets the programs have only so many descriptors. */
  void limitDescriptors(int most) {
    limit = List.of("sh", "-c", "ulimit -n " + most + "; exec \"$@\"", "sh");
  }

  /** Adds the jar of a class to the class path of the programs, which has none of the log's. */
  void with(String className) throws ClassNotFoundException {
    Class<?> type = Class.forName(className, false, AgentJvm.class.getClassLoader());
    classPath += File.pathSeparator + locationOf(type);
  }

  private static String locationOf(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().getPath();
  }

  /** Runs a program to its end and returns what it prints; without the agent if null. */
  List<String> run(@Nullable Propagation propagation, Class<?> program, Object... arguments)
      throws Exception {
    List<String> command = new ArrayList<>(limit);
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
    if (propagation != null) {
      command.add(
          "-javaagent:"
              + agent
              + "=path="
              + log
              + ",roots="
              + root
              + ",persistence=EMULATED,capacityBytes=4194304,lanes=2,propagation="
              + propagation);
    }
    command.addAll(List.of("-cp", classPath, program.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Process process =
        new ProcessBuilder(command)
            .redirectError(errors.toFile())
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(120, TimeUnit.SECONDS)).as("ends").isTrue();
    } finally {
      process.destroyForcibly();
    }
    exitStatus = process.exitValue();
    return Files.readAllLines(output);
  }

  int exitStatus() {
    return exitStatus;
  }

  String errors() throws IOException {
    return Files.readString(errors);
  }
}
