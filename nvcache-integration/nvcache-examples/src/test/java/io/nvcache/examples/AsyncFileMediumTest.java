// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.PolicyPreset;
import io.nvcache.Source;
import io.nvcache.medium.Medium;
import io.nvcache.medium.MediumContract;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Does what each medium must, and what its own page promises. */
final class AsyncFileMediumTest extends MediumContract {
  @TempDir Path directory;

  @Override
  protected Medium open(long capacityBytes) throws IOException {
    return new AsyncFileMedium(directory.resolve("blocks"), capacityBytes);
  }

  @Test
  void shouldSurviveAnInterruptOfAReader() throws IOException {
    try (BlockCache cache =
        BlockCache.builder()
            .medium(new AsyncFileMedium(directory.resolve("other"), 16 << 20))
            .policies(PolicyPreset.ADMIT_ALL)
            .build()) {
      ByteBuffer block = ByteBuffer.allocate(4096).putLong(0, 42);
      cache.offer(1, 0, block, Source.READ);
      Thread.currentThread().interrupt();
      ByteBuffer first = ByteBuffer.allocate(4096);
      assertThat(cache.get(1, 0, first)).isEqualTo(4096);
      assertThat(Thread.interrupted()).isTrue();
      ByteBuffer again = ByteBuffer.allocate(4096);
      assertThat(cache.get(1, 0, again)).isEqualTo(4096);
      assertThat(again.getLong(0)).isEqualTo(42);
      assertThat(cache.stats().mediumFailures()).isZero();
    }
  }

  @Test
  void shouldLeaveAnotherFileAloneAndNoneBehind() throws IOException {
    Path file = directory.resolve("mine");
    Files.writeString(file, "precious");
    assertThatThrownBy(() -> new AsyncFileMedium(file, 16 << 20))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(file).hasContent("precious");
    Path blocks = directory.resolve("theirs");
    new AsyncFileMedium(blocks, 16 << 20).close();
    assertThat(blocks).doesNotExist();
  }
}
