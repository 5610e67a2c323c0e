// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fault in a caller's memory is the caller's exception. It neither ends the JVM, nor counts
 * against the medium, nor lets bytes in that were not read.
 */
final class CallerFaultsTest {
  private static final String SOUND =
      ", sound 65536, failures 0, policy failures 0, in service true";

  @TempDir Path directory;

  private String run(String scene, String... arguments) throws Exception {
    String[] all = new String[2 + arguments.length];
    all[0] = scene;
    all[1] = directory.toString();
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return ChildJvm.run(CallerFaults.class, all);
  }

  @Test
  void shouldPeekIntoNoReadOnlyOrFreedBuffer() throws Exception {
    String freed = Runtime.version().feature() >= 22 ? ", freed IllegalStateException" : "";
    assertThat(run("peek"))
        .contains(
            "found true, read-only ReadOnlyBufferException, other cache's ReadOnlyBufferException"
                + freed
                + ", then 4096 bytes of 2");
  }

  @Test
  void shouldReadAMediumIntoNoReadOnlyBuffer() throws Exception {
    assertThat(run("read")).contains("read-only ReadOnlyBufferException");
  }

  @Test
  void shouldGiveTheErrorOfABufferToWhoUsesAMedium() throws Exception {
    String cut = "InternalError InternalError, ";
    String freed =
        Runtime.version().feature() >= 22 ? "IllegalStateException IllegalStateException, " : cut;

    assertThat(run("media").lines().filter(line -> line.contains("right")))
        .hasSize(3)
        .containsOnly(cut + freed + "right true");
  }

  /** Interpreted, half compiled, and compiled. */
  @ParameterizedTest
  @CsvSource({"NONE,0", "NONE,1000", "NONE,30000", "CRC32C,0", "CRC32C,30000"})
  void shouldAdmitNoBytesThatCouldNotBeRead(String checksum, String warmUp) throws Exception {
    assertThat(run("source", checksum, warmUp)).contains("admitted 0, thrown 200, hits 0" + SOUND);
  }

  @Test
  void shouldAdmitNoneFromTheCutMediumOfAnotherCache() throws Exception {
    assertThat(run("pin")).contains("whole ADMITTED, cut short InternalError" + SOUND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void shouldBlameNoMediumForTheBufferThatItWasReadInto(String mapped) throws Exception {
    assertThat(run("target", mapped)).contains("thrown 200, moved 0" + SOUND);
  }
}
