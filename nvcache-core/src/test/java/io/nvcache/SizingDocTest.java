// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Holds the DRAM calculator of docs/decide/size.md to caches. */
final class SizingDocTest {
  private static final Path DOC = Path.of("..", "docs", "decide", "size.md");
  private static final long CAPACITY_BYTES = 5L << 30; // Slabs; untouched, so it takes no memory.
  private static final int BLOCK_BYTES = 16 << 10;

  /** The file table of an empty cache and the index's spare slots, for each block. */
  private static final double FIXED = 0.1;

  private static double row(String part) throws IOException {
    MatchResult row =
        Pattern.compile("(?m)^\\| " + Pattern.quote(part) + "[^|]*\\| ([\\d.]+)")
            .matcher(Files.readString(DOC))
            .results()
            .findFirst()
            .orElseThrow();
    return Double.parseDouble(row.group(1));
  }

  private static double bytesPerBlock(BlockCacheBuilder builder) {
    try (BlockCache cache =
        builder
            .nativeMemory(CAPACITY_BYTES)
            .expectedBlockBytes(BLOCK_BYTES)
            .maintainedByCaller()
            .build()) {
      return cache.stats().metadataBytes() / (double) (CAPACITY_BYTES / BLOCK_BYTES);
    }
  }

  @Test
  void shouldGiveTheIndexItsBytes() throws IOException {
    BlockCacheBuilder bare =
        BlockCache.builder()
            .checksum(Checksum.NONE)
            .admission(AdmissionPresets.admitAll())
            .eviction(ClockEviction::new);

    assertThat(bytesPerBlock(bare)).isEqualTo(row("index"), within(FIXED));
  }

  @Test
  void shouldAddTheDefaultAdmissionAndChecksums() throws IOException {
    double plain = bytesPerBlock(BlockCache.builder().checksum(Checksum.NONE));
    double summed = bytesPerBlock(BlockCache.builder().checksum(Checksum.CRC32C));

    assertThat(plain).isEqualTo(row("index") + row("default admission"), within(FIXED));
    assertThat(summed - plain).isEqualTo(row("checksums"), within(FIXED));
  }
}
