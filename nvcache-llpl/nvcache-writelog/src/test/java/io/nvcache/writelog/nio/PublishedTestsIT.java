// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.writelog.Propagation;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.common.record.FileRecordsTest;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Suites that Lucene and Kafka have published, in JVMs whose default file system goes through a
 * log: the directory of their temporary files is its root.
 */
class PublishedTestsIT {
  private static final long MAX_MINUTES = 5;

  private static final Pattern RESULT =
      Pattern.compile("RESULT run (\\d+) failed (\\d+) skipped (\\d+) records (\\d+)");

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void shouldPassLucenesTestsOfDirectories(Propagation propagation) throws Exception {
    String seed = System.getProperty("tests.seed", "DEADBEEF");
    assertPasses(
        propagation,
        106,
        1000,
        "-Dtests.seed=" + seed,
        LoggedDirectory.OfChannels.class,
        LoggedDirectory.OfMappings.class);
  }

  @ParameterizedTest
  @EnumSource
  void shouldPassKafkasTestsOfFiles(Propagation propagation) throws Exception {
    assertPasses(propagation, 22, 50, "-ea", FileRecordsTest.class);
  }

  private void assertPasses(
      Propagation propagation, int tests, int leastRecords, String flag, Class<?>... classes)
      throws Exception {
    Path root = directory.toRealPath().resolve("root");
    LoggedJvm jvm =
        new LoggedJvm(
            directory,
            "-Xmx512m",
            "-ea",
            flag,
            "-Djava.io.tmpdir=" + root,
            "-DtempDir=" + root,
            "-Dnvcache.writelog.capacityBytes=67108864");
    String[] names = new String[classes.length];
    for (int i = 0; i < classes.length; i++) {
      names[i] = classes[i].getName();
    }
    Process process = jvm.start(propagation, PublishedTests.class, names);
    String output = LoggedJvm.output(process).lines().collect(Collectors.joining("\n"));
    assertThat(process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)).isTrue();
    Matcher result = RESULT.matcher(output);
    assertThat(result.find()).as(output + jvm.errors()).isTrue();
    System.out.printf("%s %s: %s%n", propagation, names[0], result.group());
    assertThat(result.group(2)).as("failed\n%s", jvm.errors()).isEqualTo("0");
    assertThat(Integer.parseInt(result.group(1))).as("run").isEqualTo(tests);
    assertThat(Integer.parseInt(result.group(4)))
        .as("records in the log: the files went past it")
        .isGreaterThanOrEqualTo(leastRecords);
  }
}
