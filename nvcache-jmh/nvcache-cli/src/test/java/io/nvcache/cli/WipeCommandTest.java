// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.llpl.LlplHeapMedium;
import io.nvcache.llpl.PmemLibraries;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WipeCommandTest {
  @TempDir private Path directory;

  @Test
  void shouldWipeTheFilesOfMappedMedia() throws IOException {
    Path file = directory.resolve("blocks");
    Path otherName = directory.resolve("link");
    try (Medium medium = MappedFileMedium.create(file, 8192)) {
      medium.write(0, ByteBuffer.wrap(new byte[] {42}));
    }
    Files.createLink(otherName, file);

    CliRun run = CliRun.of("wipe", "--mapped", file.toString());

    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    assertThat(run.out()).isEqualTo("wiped " + file + System.lineSeparator());
    assertThat(file).doesNotExist();
    assertThat(Files.readAllBytes(otherName)).containsOnly(0);
  }

  @Test
  void shouldRefuseWhatIsNoHeapAndWhatACacheHolds() throws IOException {
    assumeTrue(PmemLibraries.problem() == null, "LLPL can't be loaded");
    Path text = Files.writeString(directory.resolve("text"), "mine");
    CliRun run = CliRun.of("wipe", text.toString());
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.err())
        .hasLineCount(1)
        .contains("it is not the heap of a cache")
        .doesNotContain("delete it");
    assertThat(text).hasContent("mine");

    Path heap = directory.resolve("heap");
    try (Medium medium = LlplHeapMedium.create(heap, 4096)) {
      run = CliRun.of("wipe", heap.toString());
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.err()).hasLineCount(1).contains("held by another cache or process");
      assertThat(medium.capacityBytes()).isEqualTo(4096);
    }
  }

  @Test
  void shouldAskForAPath() {
    CliRun run = CliRun.of("wipe");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).hasLineCount(1).contains("PATH");
  }
}
