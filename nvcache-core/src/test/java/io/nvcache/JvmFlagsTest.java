// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.testing.ChildJvm;
import io.nvcache.testing.Jdk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the table of JVM flags in docs/reference/configuration.md promises, each in a JVM of its
 * own.
 */
final class JvmFlagsTest {
  private static final Path DOC = Path.of("..", "docs", "reference", "configuration.md");
  private static final String REFLECT = "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED";
  private static final String CHANNELS = "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED";
  private static final String DENY = "--sun-misc-unsafe-memory-access=deny";
  private static final String NO_NATIVE = "--illegal-native-access=deny";
  private static final String SERVED = "read 5 bytes";

  /** Whether the class path has the part for JDK 22 and later, which a JDK 17 can't compile. */
  private static final boolean HAS_FOREIGN =
      JvmFlagsTest.class.getResource("/io/nvcache/memory/ForeignMemory.class") != null;

  @TempDir Path directory;

  /**
   * A row of the table.
   *
   * @param since the first JDK that has the flag, or a use for it
   * @param until the last one that has a use for it
   */
  private record Row(String flag, int since, int until, boolean mappedNeeds) {
    /** Builds without java.lang.foreign do on all JDKs what they do on 17. */
    boolean isFor(Jdk jdk) {
      return since <= jdk.feature() && (jdk.feature() <= until || !HAS_FOREIGN);
    }
  }

  private static List<Row> rows() throws Exception {
    List<Row> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(DOC)) {
      if (line.startsWith("#")) {
        inside = line.equals("### JVM flags");
      } else if (inside && line.startsWith("| `--")) {
        String[] cells = line.split("\\|");
        String jdks = cells[2].strip();
        rows.add(
            new Row(
                cells[1].strip().replace("`", ""),
                jdks.equals("all") ? 0 : Integer.parseInt(jdks.replaceAll("\\D.*", "")),
                jdks.matches("\\d+ to \\d+")
                    ? Integer.parseInt(jdks.replaceAll(".*\\D", ""))
                    : Integer.MAX_VALUE,
                cells[4].strip().startsWith("needed")));
      }
    }
    assertThat(rows).hasSizeGreaterThan(3);
    return rows;
  }

  /** In the one form that is one argument. */
  private static String argument(Row row) {
    return row.flag.replaceFirst(" ", "=");
  }

  private String run(Jdk jdk, List<String> flags, String medium) throws Exception {
    return ChildJvm.run(
        ChildJvm.command(
            jdk.home(), flags, CacheByFlags.class, medium, directory.resolve("f").toString()));
  }

  private void assertSilent(Jdk jdk, String medium, String... more) throws Exception {
    List<String> flags =
        new ArrayList<>(
            rows().stream().filter(row -> row.isFor(jdk)).map(JvmFlagsTest::argument).toList());
    flags.addAll(List.of(more));
    assertThat(run(jdk, flags, medium))
        .contains(SERVED)
        .doesNotContain("WARN", "ERROR", "illegal", "deprecated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped", "flash"})
  void shouldServeInSilenceWithTheFlagsOfTheTable(String medium) throws Exception {
    assertSilent(Jdk.own(), medium);
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped", "flash"})
  void shouldServeInSilenceWithTheFlagsOfTheTableOn25(String medium) throws Exception {
    assertSilent(Jdk.of25(), medium);
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped", "flash", "other"})
  void shouldServeInSilenceWithoutUnsafeOn25(String medium) throws Exception {
    assumeTrue(HAS_FOREIGN, "a JDK before 22 built this: it has no java.lang.foreign");
    assertSilent(Jdk.of25(), medium, DENY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "flash"})
  void shouldNeedNoFlag(String medium) throws Exception {
    assertThat(run(Jdk.own(), List.of(), medium)).contains(SERVED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "flash"})
  void shouldNeedNoFlagOn25(String medium) throws Exception {
    assertThat(run(Jdk.of25(), List.of(), medium)).contains(SERVED);
  }

  @Test
  void shouldMapWithoutFlagsWhereTheJdkDoes() throws Exception {
    assumeTrue(HAS_FOREIGN, "a JDK before 22 built this: it has no java.lang.foreign");
    assertThat(run(Jdk.of25(), List.of(), "mapped")).contains(SERVED);
  }

  @Test
  void shouldNameTheFlagsThatMappingMissesAndTouchNoFile() throws Exception {
    assumeFalse(HAS_FOREIGN, "the JDK maps files itself");
    assertThat(run(Jdk.own(), List.of(), "mapped"))
        .contains(
            "refused: IllegalStateException: the JVM hides what mapping a file needs; start it"
                + " with --add-opens java.base/java.lang.reflect=ALL-UNNAMED --add-exports"
                + " java.base/sun.nio.ch=ALL-UNNAMED");
    assertThat(directory.resolve("f")).doesNotExist();
  }

  @Test
  void shouldNameTheOneFlagThatMappingMisses() throws Exception {
    assumeFalse(HAS_FOREIGN, "the JDK maps files itself");
    assertThat(run(Jdk.own(), List.of(REFLECT), "mapped"))
        .contains("start it with --add-exports java.base/sun.nio.ch=ALL-UNNAMED");
    assertThat(run(Jdk.own(), List.of(CHANNELS), "mapped"))
        .contains("start it with --add-opens java.base/java.lang.reflect=ALL-UNNAMED")
        .doesNotContain("sun.nio.ch");
  }

  @Test
  void shouldMapWithTheFlagsThatTheTableCallsNeededAndNoOther() throws Exception {
    List<String> needed =
        rows().stream().filter(Row::mappedNeeds).map(JvmFlagsTest::argument).toList();
    assertThat(needed).containsExactlyInAnyOrder(REFLECT, CHANNELS);
    assertThat(run(Jdk.own(), needed, "mapped")).contains(SERVED);
    assertThat(run(Jdk.of25(), needed, "mapped")).contains(SERVED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped", "flash", "other"})
  void shouldNameTheFlagWhereMemoryIsDenied(String medium) throws Exception {
    assumeFalse(HAS_FOREIGN, "this build does without Unsafe");
    assertThat(run(Jdk.of25(), List.of(DENY, REFLECT, CHANNELS), medium))
        .contains("refused: IllegalStateException: the JVM denies")
        .contains("; start it with --sun-misc-unsafe-memory-access=allow");
    assertThat(directory.resolve("f")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped", "flash", "other"})
  void shouldNameTheFlagWhereAllMemoryIsDenied(String medium) throws Exception {
    assumeTrue(HAS_FOREIGN, "a JDK before 22 built this: it has no java.lang.foreign");
    assertThat(run(Jdk.of25(), List.of(DENY, NO_NATIVE), medium))
        .contains("refused: IllegalStateException: the JVM denies java.lang.foreign")
        .contains("; start it with --enable-native-access=ALL-UNNAMED");
    assertThat(directory.resolve("f")).doesNotExist();
  }

  @Test
  void shouldNameTheFlagOfAFlashMediumWhereUnsafeIsDenied() throws Exception {
    assumeTrue(HAS_FOREIGN, "a JDK before 22 built this: it has no java.lang.foreign");
    assertThat(run(Jdk.of25(), List.of(DENY), "flash"))
        .contains("refused: IllegalStateException: the JVM hides how a file channel")
        .contains("start it with --add-exports java.base/sun.nio.ch=ALL-UNNAMED");
  }
}
