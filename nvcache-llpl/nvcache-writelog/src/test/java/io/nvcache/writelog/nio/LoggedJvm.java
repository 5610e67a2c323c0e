// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.Propagation;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts JVMs whose default file system is the log's, with one root and one log for all. */
final class LoggedJvm {
  private final Path log;
  private final Path root;
  private final Path errors;
  private final List<String> flags;

  /**
   * Makes the root.
   *
   * @param directory where everything goes
   * @param flags of each JVM
   */
  LoggedJvm(Path directory, String... flags) throws IOException {
    Path real = directory.toRealPath();
    this.log = real.resolve("log");
    this.errors = real.resolve("errors");
    this.root = Files.createDirectory(real.resolve("root"));
    this.flags = List.of(flags);
  }

  /** Returns the directory whose files are logged. */
  Path root() {
    return root;
  }

  /** Starts a program with the class path of this JVM. */
  Process start(Propagation propagation, Class<?> program, String... arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.addAll(flags);
    command.add(
        "-Djava.nio.file.spi.DefaultFileSystemProvider="
            + WriteLogFileSystemProvider.class.getName());
    command.add("-Dnvcache.writelog.path=" + log);
    command.add("-Dnvcache.writelog.roots=" + root);
    command.add("-Dnvcache.writelog.persistence=EMULATED");
    command.add("-Dnvcache.writelog.propagation=" + propagation);
    command.addAll(List.of("-cp", classPath(), program.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(errors.toFile()).start();
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"))
        .replaceAll(File.pathSeparator + "+$", "");
  }

  /** Returns what the last one said on its error stream. */
  String errors() throws IOException {
    return Files.readString(errors);
  }

  /** Returns what a program prints. */
  static BufferedReader output(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }
}
