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
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Another JVM with the class path of this one, or that of a server, and a directory of its own
 * settings before it.
 */
final class ForkedJvm {
  private static final Pattern FLAG =
      Pattern.compile("^ +(--add-[a-z]+) (java.base/[\\w.]+=ALL-UNNAMED)\"?$", Pattern.MULTILINE);

  /** HBase was released with reload4j. */
  private static final String LOGGING =
      """
      log4j.rootLogger=WARN,console
      log4j.logger.io.nvcache=INFO
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d %p [%t] %c: %m%n
      """;

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
    List<String> flags =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(argument -> argument.startsWith("--add-"))
            .toList();
    return start(site, log, mainClass, arguments, flags, ownClassPath());
  }

  /**
   * Starts a program with the class path of a server of HBase as it was released, the one jar that
   * operators copy, and the JVM flags of docs/start/hbase.md.
   *
   * @param more what else is on the class path
   */
  static Process startServer(
      Path site, Path log, String mainClass, List<String> arguments, String... more)
      throws IOException {
    List<String> classPath = new ArrayList<>(List.of(more));
    classPath.add(System.getProperty("nvcache.it.jar"));
    classPath.add(Files.readString(Path.of(System.getProperty("nvcache.it.node"))).strip());
    Files.writeString(site.resolve("log4j.properties"), LOGGING);
    return start(
        site,
        log,
        mainClass,
        arguments,
        flagsOfTheGuide(),
        String.join(File.pathSeparator, classPath));
  }

  private static List<String> flagsOfTheGuide() throws IOException {
    String guide = Files.readString(Path.of("..", "..", "docs", "start", "hbase.md"));
    List<String> flags =
        FLAG.matcher(guide).results().map(flag -> flag.group(1) + "=" + flag.group(2)).toList();
    assertThat(flags).hasSizeGreaterThan(5);
    return flags;
  }

  /** Where the classes of the tests are. */
  static String testClasses() {
    return Path.of("target", "test-classes").toAbsolutePath().toString();
  }

  private static String ownClassPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static Process start(
      Path site,
      Path log,
      String mainClass,
      List<String> arguments,
      List<String> flags,
      String classPath)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("-ea");
    command.addAll(flags);
    command.addAll(List.of("-cp", site + File.pathSeparator + classPath, mainClass));
    command.addAll(arguments);
    return new ProcessBuilder(command)
        .directory(site.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }
}
