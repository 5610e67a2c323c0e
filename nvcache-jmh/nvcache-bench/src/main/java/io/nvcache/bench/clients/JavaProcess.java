// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A separate JVM with a directory of settings before its class path. */
final class JavaProcess {
  /** Those of docs/start/hbase.md, step 3. */
  private static final List<String> FLAGS =
      List.of("lang", "lang.reflect", "nio", "util", "util.concurrent").stream()
          .map(name -> "--add-opens=java.base/java." + name + "=ALL-UNNAMED")
          .toList();

  private static final List<String> MORE_FLAGS =
      List.of(
          "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-opens=java.base/jdk.internal.ref=ALL-UNNAMED");

  private JavaProcess() {}

  /** Starts a program whose output, of both kinds, goes to a file. It ends with this JVM. */
  static Process start(
      Path site, Path log, String classPath, List<String> memory, List<String> program)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(memory);
    command.addAll(FLAGS);
    command.addAll(MORE_FLAGS);
    command.addAll(List.of("-cp", site + File.pathSeparator + classPath));
    command.addAll(program);
    Process process =
        new ProcessBuilder(command)
            .directory(site.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }
}
