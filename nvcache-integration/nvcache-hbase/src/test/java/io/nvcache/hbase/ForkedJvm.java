// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Another JVM with the class path of this one, and a directory of its own settings before it. */
final class ForkedJvm {
  private ForkedJvm() {}

  /** Writes {@code hbase-site.xml}. */
  static void writeSite(Path directory, Map<String, String> settings) throws IOException {
    String properties =
        settings.entrySet().stream()
            .map(
                setting ->
                    "<property><name>%s</name><value>%s</value></property>"
                        .formatted(setting.getKey(), setting.getValue()))
            .collect(Collectors.joining("\n"));
    Files.writeString(
        directory.resolve("hbase-site.xml"),
        "<configuration>\n" + properties + "\n</configuration>");
  }

  /** Runs a program to its end; what it printed, of both kinds. */
  static String run(Path site, String mainClass, List<String> arguments, long maxMinutes)
      throws IOException, InterruptedException {
    Path log = site.resolve("log");
    Process process = start(site, log, mainClass, arguments);
    boolean ended = process.waitFor(maxMinutes, TimeUnit.MINUTES);
    process.destroyForcibly();
    String output = Files.readString(log);
    assertThat(ended).as(output).isTrue();
    return output;
  }

  /** Starts a program whose output, of both kinds, goes to a file. */
  static Process start(Path site, Path log, String mainClass, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("-ea");
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> argument.startsWith("--add-"))
        .forEach(command::add);
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    command.addAll(List.of("-cp", site + File.pathSeparator + classPath, mainClass));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .directory(site.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }
}
