// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.writelog.Propagation;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Programs that use {@code java.io} and channels, with one flag. */
class AgentTest {
  /** What the agent's jar has for this JDK. */
  private static final String LOGGED =
      AgentTest.class.getResource("ArenaFileChannel.class") == null
          ? "LoggedFileChannel"
          : "ArenaFileChannel";

  @TempDir private static Path agentDirectory;
  private static Path agent;

  @TempDir private Path directory;
  private AgentJvm jvm;

  @BeforeAll
  static void makeAgent() throws IOException {
    agent = AgentJar.make(agentDirectory.resolve("agent.jar"));
  }

  @BeforeEach
  void makeRoot() throws IOException {
    jvm = new AgentJvm(agent, directory, AgentPrograms.class);
  }

  /**
   * A file that it deletes by {@code java.io} stays gone, one that it renames is under its new
   * name, no newer write is undone, and the recovery comes before its first look. It has its own
   * classes and the JDK's paths.
   */
  @ParameterizedTest
  @EnumSource
  void shouldKeepWhatAProgramDidByJavaIo(Propagation propagation) throws Exception {
    assertThat(jvm.run(propagation, AgentPrograms.class, jvm.root(), "write"))
        .as(jvm.errors())
        .containsExactly(
            "true",
            "true",
            "true",
            "true",
            "true",
            "no SLF4J",
            "true",
            "FileChannelImpl",
            "true",
            LOGGED,
            "new true");
    assertThat(jvm.run(propagation, AgentPrograms.class, jvm.root(), "look"))
        .as(jvm.errors())
        .containsExactly(
            "deleted missing",
            "replaced 3000 new",
            "replaced.tmp missing",
            "undone 3 new",
            "cut 5 01x",
            "protected 3 old",
            "born-protected 3 new",
            "new false");
  }

  @Test
  void shouldNotStartTheProgramOverALogThatCanNotBeOpened() throws Exception {
    Files.createDirectory(jvm.log());
    assertThat(jvm.run(Propagation.ON_WRITE, AgentPrograms.class, jvm.root(), "look")).isEmpty();
    assertThat(jvm.exitStatus()).isEqualTo(1);
    assertThat(jvm.errors())
        .startsWith("the write log was not opened")
        .contains(jvm.log().toString());
  }

  @ParameterizedTest
  @EnumSource
  void shouldCutNoFileThatCanNotBeOpened(Propagation propagation) throws Exception {
    jvm.limitDescriptors(300);
    assertThat(jvm.run(propagation, AgentPrograms.class, jvm.root(), "exhaust"))
        .as(jvm.errors())
        .containsExactly("refused", "precious");
  }

  @Test
  void shouldRefuseArgumentsThatAreNoSettings() {
    assertThatThrownBy(() -> WriteLogOptions.ofAgent("path=/a,lane=3"))
        .hasMessageContainingAll("'lane'", "lanes");
    assertThatThrownBy(() -> WriteLogOptions.ofAgent("path"))
        .hasMessageContainingAll("'path'", "KEY=VALUE");
    for (String roots : List.of("", ":", "/a:", ":/a", "/a::/b")) {
      assertThatThrownBy(
              () -> WriteLogOptions.ofAgent("roots=" + roots).roots(FileSystems.getDefault()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("roots");
    }
    for (String key : List.of("lanes", "fileSlots", "batchRecords", "capacityBytes")) {
      for (String value : List.of("99999999999", "-99999999999", "9223372036854775807")) {
        String arguments = "path=" + jvm.log() + ",roots=" + jvm.root() + "," + key + "=" + value;
        assertThatThrownBy(() -> WriteLogOptions.ofAgent(arguments).open(FileSystems.getDefault()))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContainingAll(key, value);
      }
    }
    assertThat(WriteLogOptions.ofAgent("path=/a, nvcache.writelog.roots=/b:/c").values())
        .containsEntry("path", "/a")
        .containsEntry("roots", "/b:/c");
  }

  @Test
  void shouldKnowNativeStoresByTheirLibraries() {
    String line = "7f00-7f01 r-xp 00000000 08:01 42   /tmp/";
    assertThat(NativeStores.nameIn(line + "librocksdbjni123.so")).isEqualTo("librocksdbjni123.so");
    assertThat(NativeStores.nameIn(line + "sqlite-3.46-u-libsqlitejdbc.so")).contains("sqlite");
    assertThat(NativeStores.nameIn(line + "liblmdb.so.0")).isEqualTo("liblmdb.so.0");
    assertThat(NativeStores.nameIn(line + "libleveldbjni-64-1-9.so")).isNotNull();
    assertThat(NativeStores.nameIn(line + "libzip.so")).isNull();
    assertThat(NativeStores.nameIn("7f00-7f01 rw-p 00000000 00:00 0")).isNull();
  }

  /** It sees the same without a log, with one, and after its process was killed. */
  @Test
  void shouldShowARandomProgramWhatItWouldSeeWithoutALog() throws Exception {
    long seed = new Random().nextInt(1_000_000);
    System.out.println("mixed program: seed " + seed);
    List<String> expected = runMixed(directory.resolve("plain"), null, seed);
    for (Propagation propagation : Propagation.values()) {
      assertThat(runMixed(directory.resolve(propagation.name()), propagation, seed))
          .as("%s, seed %d", propagation, seed)
          .isEqualTo(expected);
    }
  }

  /** Returns what it prints, and then the files that the next start finds. */
  private static List<String> runMixed(Path in, @Nullable Propagation propagation, long seed)
      throws Exception {
    AgentJvm mixed = new AgentJvm(agent, in, MixedProgram.class);
    List<String> lines =
        new ArrayList<>(
            mixed.run(propagation, MixedProgram.class, mixed.root(), seed, 600, "halt"));
    lines.addAll(mixed.run(propagation, MixedProgram.class, mixed.root(), 0, 0));
    return lines;
  }
}
