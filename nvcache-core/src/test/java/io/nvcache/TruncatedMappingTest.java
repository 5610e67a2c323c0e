// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A file that somebody cuts short under its mapping is a counted failure, and not the JVM's end.
 */
final class TruncatedMappingTest {
  @TempDir Path directory;

  private String run(String... arguments) throws Exception {
    String[] all = new String[4];
    all[0] = directory.resolve("medium").toString();
    System.arraycopy(arguments, 0, all, 1, 3);
    return ChildJvm.run(TruncatedMapping.class, all);
  }

  /** With nobody to notice, each of some thousands of accesses meets the fault. */
  @ParameterizedTest
  @CsvSource({"CRC32C,4096", "CRC32C,16384", "NONE,4096", "NONE,16384"})
  void shouldBearEveryFault(String checksum, String length) throws Exception {
    String told = run(checksum, length, "unwatched");
    assertThat(told)
        .contains("hits=0 wrong=0 thrown=0 pinFaults=4000 ")
        .containsPattern("failures=[12]\\d{3} ");
  }

  /** The pin was copied when it was taken, and shows its block on. */
  @Test
  void shouldBearEveryFaultOfEncryptedBlocks() throws Exception {
    assertThat(run("ENCRYPTED", "4096", "unwatched"))
        .contains("hits=0 wrong=0 thrown=0 pinFaults=0 ")
        .containsPattern("failures=[12]\\d{3} ");
  }

  @Test
  void shouldNoticeAndLeaveService() throws Exception {
    String told = run("CRC32C", "4096", "watched");
    assertThat(told)
        .contains("hits=0 wrong=0 thrown=0 pinFaults=4000 failures=0 ")
        .contains("inService=false")
        .contains("was cut short to 0 of 4194304 bytes");
  }
}
