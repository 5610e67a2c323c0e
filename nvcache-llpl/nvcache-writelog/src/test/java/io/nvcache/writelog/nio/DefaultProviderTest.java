// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The provider as the default of a JVM of its own. */
class DefaultProviderTest {
  /** More by this property, for a run of hours. */
  private static final int KILLS = Integer.getInteger("nvcache.test.kills", 3);

  @TempDir Path directory;
  private Path root;

  @BeforeEach
  void make() throws IOException {
    directory = directory.toRealPath();
    root = Files.createDirectory(directory.resolve("root"));
  }

  private Process start(Propagation propagation, Class<?> program, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-Xmx256m",
            "-Djava.nio.file.spi.DefaultFileSystemProvider="
                + WriteLogFileSystemProvider.class.getName(),
            "-Dnvcache.writelog.path=" + directory.resolve("log"),
            "-Dnvcache.writelog.roots=" + root,
            "-Dnvcache.writelog.capacityBytes=4194304",
            "-Dnvcache.writelog.lanes=2",
            "-Dnvcache.writelog.persistence=EMULATED",
            "-Dnvcache.writelog.propagation=" + propagation,
            "-cp",
            System.getProperty("java.class.path"),
            program.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(directory.resolve("errors").toFile()).start();
  }

  private String errors() throws IOException {
    return Files.readString(directory.resolve("errors"));
  }

  private static BufferedReader output(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeTheDefaultOfAJvm(Propagation propagation) throws Exception {
    Process process =
        start(propagation, DefaultProviderProgram.class, root.toString(), directory.toString());
    List<String> lines = output(process).lines().toList();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(lines)
        .as(errors())
        .containsExactly(
            "provider",
            "logged",
            "platform",
            "size",
            "file",
            "uri",
            "zip",
            "watch",
            "event",
            "temporary",
            "end");
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepEachCommitOfAKilledH2(Propagation propagation) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int acknowledged = 0;
    for (int kill = 0; kill <= KILLS; kill++) {
      boolean last = kill == KILLS;
      Process process =
          start(
              propagation, H2Program.class, root.resolve("db").toString(), last ? "5" : "1000000");
      int killAfter = 1 + random.nextInt(400);
      try (BufferedReader lines = output(process)) {
        String line = lines.readLine();
        assertThat(line).as("seed %d, start %d: %s", seed, kill, errors()).startsWith("found ");
        String[] found = line.split(" ");
        int rows = Integer.parseInt(found[1]);
        assertThat(rows).as("seed %d, kill %d", seed, kill).isGreaterThanOrEqualTo(acknowledged);
        assertThat(Integer.parseInt(found[2])).as("largest").isEqualTo(rows);
        assertThat(Long.parseLong(found[3])).as("characters").isEqualTo(100L * rows);
        while ((line = lines.readLine()) != null && !line.equals("end")) {
          acknowledged = Integer.parseInt(line);
          if (!last && --killAfter == 0) {
            process.toHandle().destroyForcibly(); // Leaves the output to be read.
          }
        }
      }
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(acknowledged).isPositive();
  }
}
