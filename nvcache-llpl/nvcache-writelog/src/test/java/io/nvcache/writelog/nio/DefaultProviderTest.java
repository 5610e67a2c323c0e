// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.writelog.Propagation;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The provider as the default of a separate JVM. */
class DefaultProviderTest {
  /** More by this property, for a run of hours. */
  private static final int KILLS = Integer.getInteger("nvcache.test.kills", 3);

  @TempDir private Path directory;
  private LoggedJvm jvm;

  @BeforeEach
  void make() throws IOException {
    jvm =
        new LoggedJvm(
            directory,
            "-Xmx256m",
            "-Dnvcache.writelog.capacityBytes=4194304",
            "-Dnvcache.writelog.lanes=2");
  }

  @ParameterizedTest
  @EnumSource
  void shouldBeTheDefaultOfAJvm(Propagation propagation) throws Exception {
    Process process =
        jvm.start(
            propagation,
            DefaultProviderProgram.class,
            jvm.root().toString(),
            directory.toRealPath().toString());
    List<String> lines = LoggedJvm.output(process).lines().toList();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(lines)
        .as(jvm.errors())
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

  /**
   * Each class that a start loads costs its time: the log's channels are for the first file of a
   * root, and the first string "+" that is linked takes longer than all else together.
   */
  @Test
  void shouldLoadNoChannelsAsAJvmStarts() throws Exception {
    Path loaded = directory.resolve("loaded");
    LoggedJvm starting =
        new LoggedJvm(
            Files.createDirectory(directory.resolve("start")),
            "-Xlog:class+load:file=" + loaded + "::filecount=0");
    Process process = starting.start(Propagation.ON_WRITE, PathProgram.class);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(starting.errors()).isZero();
    String classes = Files.readString(loaded, StandardCharsets.ISO_8859_1);
    assertThat(Pattern.compile("io\\.nvcache\\.[\\w.]+").matcher(classes).results())
        .extracting(name -> name.group().replaceAll(".*\\.", ""))
        .containsExactlyInAnyOrder(
            "DefaultProviderTest", // The program, which is in it.
            "WriteLogFileSystemProvider",
            "LogOpening",
            "LoggedNames",
            "LoggedFileSystem",
            "LoggedPath",
            "RealPaths", // A link may lead to a root.
            "WriteLogOptions");
    assertThat(classes)
        .as("a linked + or lambda")
        .doesNotContain("java.lang.invoke.BootstrapMethodInvoker ");
  }

  /** A program may see nothing of a root before the recovery. */
  @ParameterizedTest
  @ValueSource(strings = {"exists", "list", "view", "delete"})
  void shouldOpenTheLogByAnotherNameOfTheRoot(String operation) throws Exception {
    Path alias = Files.createSymbolicLink(directory.toRealPath().resolve("alias"), jvm.root());
    Path dangling = Files.createSymbolicLink(directory.resolve("b"), alias.resolve("missing"));
    Path used = operation.equals("exists") ? dangling : alias.resolve("sub");
    Files.createDirectory(jvm.root().resolve("sub"));
    Process process =
        jvm.start(Propagation.ON_WRITE, AliasProgram.class, operation, used.toString());
    List<String> lines = LoggedJvm.output(process).lines().toList();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(lines).as(jvm.errors()).containsExactly("false", "true");
  }

  /** Says whether the log is open, before and after it uses a path. */
  static final class AliasProgram {
    private AliasProgram() {}

    /** Takes an operation and a path. */
    public static void main(String[] args) throws IOException {
      Path path = Path.of(args[1]);
      boolean unused = Files.exists(Path.of("/"));
      sayWhetherOpen();
      switch (args[0]) {
        case "exists" -> unused = Files.exists(path);
        case "list" -> Files.list(path).close();
        case "view" ->
            Files.getFileAttributeView(path, BasicFileAttributeView.class).readAttributes();
        default -> Files.delete(path);
      }
      sayWhetherOpen();
    }

    private static void sayWhetherOpen() {
      System.out.println(
          ((WriteLogFileSystemProvider) FileSystems.getDefault().provider()).isLogOpen());
    }
  }

  /** Uses a path that is not logged. */
  static final class PathProgram {
    private PathProgram() {}

    /** Looks at a file and ends. */
    public static void main(String[] args) {
      System.out.println(Files.exists(Path.of("/")));
    }
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepEachCommitOfAKilledH2(Propagation propagation) throws Exception {
    assertKeeps(propagation, H2Program.class, 400);
  }

  @ParameterizedTest
  @EnumSource
  void shouldKeepEachWriteOfAKilledProgram(Propagation propagation) throws Exception {
    assertKeeps(propagation, WriterProgram.class, 20_000);
  }

  /** Kills a program time and again, and has it look for all that it has acknowledged. */
  private void assertKeeps(Propagation propagation, Class<?> program, int longest)
      throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int acknowledged = 0;
    for (int kill = 0; kill <= KILLS; kill++) {
      boolean last = kill == KILLS;
      Process process =
          jvm.start(
              propagation, program, jvm.root().resolve("db").toString(), last ? "5" : "1000000");
      int killAfter = 1 + random.nextInt(longest);
      try (BufferedReader lines = LoggedJvm.output(process)) {
        String line = lines.readLine();
        assertThat(line).as("seed %d, start %d: %s", seed, kill, jvm.errors()).startsWith("found ");
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
    System.out.printf(
        "%s %s: %d kills, seed %d%n", program.getSimpleName(), propagation, KILLS, seed);
  }
}
