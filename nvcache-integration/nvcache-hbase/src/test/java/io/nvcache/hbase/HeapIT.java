// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeapIT {
  private static final Pattern RESULT = Pattern.compile("RESULT (\\d+) (-?\\d+)");

  @TempDir private Path directory;

  @Test
  void shouldTakeNextToNoHeapForABlock() throws Exception {
    String output = ForkedJvm.run(directory, HeapPerBlock.class.getName(), List.of(), 5);
    Matcher result = RESULT.matcher(output);
    assertThat(result.find()).as(output).isTrue();
    long blocks = Long.parseLong(result.group(1));
    double measured = Double.parseDouble(result.group(2)) / blocks;
    double bytesPerBlock = measured - HeapPerBlock.KNOWN_BYTES_PER_BLOCK;
    System.out.printf("heap bytes for a cached block: %.2f%n", bytesPerBlock);
    // The index displaces one in a million or so before it is full, by the seed of its hash.
    assertThat(blocks).isBetween(HeapPerBlock.BLOCKS - 100L, (long) HeapPerBlock.BLOCKS);
    assertThat(measured)
        .as("a measurement that sees the known array")
        .isGreaterThan(HeapPerBlock.KNOWN_BYTES_PER_BLOCK / 2.0);
    assertThat(bytesPerBlock).isLessThan(16.0);
  }
}
