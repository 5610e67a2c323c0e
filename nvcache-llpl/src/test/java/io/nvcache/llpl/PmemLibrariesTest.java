// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.io.TempDir;

/** Machines without what LLPL needs, each in a separate JVM: loading is tried once in each. */
final class PmemLibrariesTest {
  @TempDir Path directory;

  @Test
  void shouldNameAMissingLibraryAndFallBackToAMappedFile() throws Exception {
    // Found first, and not a library: as good as missing, even where PMDK is installed.
    Path libraries = Files.createDirectory(directory.resolve("lib"));
    Files.createFile(libraries.resolve("libpmemobj.so.1"));

    List<String> output = open(List.of(), Map.of("LD_LIBRARY_PATH", libraries.toString()));

    assertThat(output)
        .filteredOn(line -> line.startsWith("refused"))
        .hasSize(2)
        .allSatisfy(
            line ->
                assertThat(line)
                    .contains("can't load LLPL (java.lang.UnsatisfiedLinkError")
                    .contains("libpmemobj.so.1")
                    .contains("; install PMDK's")
                    .contains("LD_LIBRARY_PATH"));
    assertFellBack(output);
  }

  @Test
  void shouldNameAWrongArchitectureAndFallBackToAMappedFile() throws Exception {
    List<String> output = open(List.of("-Dos.arch=aarch64"), Map.of());

    assertThat(output)
        .filteredOn(line -> line.startsWith("refused"))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("this is Linux on aarch64"));
    assertFellBack(output);
  }

  /**
   * What JDK 25 throws under {@code --illegal-native-access=deny}, and then its like for Unsafe.
   */
  @Test
  void shouldNameTheFlagsThatAJvmLacks() {
    String flags =
        "; start the JVM with --enable-native-access=ALL-UNNAMED"
            + " --sun-misc-unsafe-memory-access=allow";
    assertThat(PmemLibraries.explain(new IllegalCallerException("Illegal native access")))
        .endsWith("Illegal native access)" + flags);
    assertThat(PmemLibraries.explain(new UnsupportedOperationException("putLong")))
        .endsWith("putLong)" + flags);
  }

  @Test
  void shouldSkipTestsWithTheReasonUnlessTheyAreRequired() {
    ConditionEvaluationResult skipped = NeedsPmdk.Condition.evaluate("no libpmemobj", null);
    assertThat(skipped.isDisabled()).isTrue();
    assertThat(skipped.getReason()).contains("no libpmemobj");
    assertThat(NeedsPmdk.Condition.evaluate("no libpmemobj", "1").isDisabled()).isFalse();
    assertThat(NeedsPmdk.Condition.evaluate(null, null).isDisabled()).isFalse();
  }

  private List<String> open(List<String> flags, Map<String, String> environment) throws Exception {
    return ChildJvm.run(MediumOpener.class, flags, environment, directory.toString())
        .lines()
        .toList();
  }

  private void assertFellBack(List<String> output) {
    assertThat(output)
        .filteredOn(line -> line.startsWith("opened"))
        .containsExactly(
            "opened: mapped file " + directory.resolve("a") + ", 1048576 bytes",
            "opened: mapped file " + directory.resolve("b") + ", 1048576 bytes");
    assertThat(output)
        .filteredOn(line -> line.contains("using mapped files instead of LLPL"))
        .as("logged once")
        .hasSize(1);
  }
}
