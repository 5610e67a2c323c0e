// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.medium.KeyFile;
import io.nvcache.medium.KeySource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Encryption that is switched on over the file of an earlier cache leaves none of its blocks. */
@Timeout(60)
final class EncryptionOverClearTest {
  private static final int CAPACITY = 4 << 20;
  private static final int PAGE = 4096;
  private static final String WORD = "SECRETWORD";

  @TempDir Path directory;

  /** How blocks are encrypted. */
  enum How {
    UNDER_KEYS,
    UNDER_THE_PROCESS
  }

  private UnaryOperator<BlockCacheBuilder> encrypted(How how) throws IOException {
    KeySource keys = new KeyFile(Files.write(directory.resolve("key"), new byte[32]));
    return builder -> how == How.UNDER_KEYS ? builder.encrypted(keys) : builder.encrypted();
  }

  private void live(UnaryOperator<BlockCacheBuilder> how, String word, int blocks) {
    BlockCacheBuilder builder =
        BlockCache.builder()
            .flash(directory.resolve("flash"), CAPACITY)
            .maxBlockBytes(PAGE)
            .expectedBlockBytes(PAGE)
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller();
    try (BlockCache cache = how.apply(builder).build()) {
      cache.control().maintain();
      cache.identify(1, FileIdentity.of("test", word));
      for (int block = 0; block < blocks; block++) {
        ByteBuffer bytes = ByteBuffer.wrap(word.repeat(300).getBytes(StandardCharsets.US_ASCII));
        cache.offer(1, (long) block * PAGE, bytes, Source.READ);
        cache.control().maintain();
      }
    }
  }

  private int words() {
    try {
      byte[] bytes = Files.readAllBytes(directory.resolve("flash"));
      String text = new String(bytes, StandardCharsets.ISO_8859_1);
      int count = 0;
      for (int at = text.indexOf(WORD); at >= 0; at = text.indexOf(WORD, at + 1)) {
        count++;
      }
      return count;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @EnumSource(How.class)
  void shouldLeaveNoBlockInTheClear(How how) throws IOException {
    live(clear -> clear, WORD, 100);
    assertThat(words()).isGreaterThan(10_000);

    live(encrypted(how), "another", 10);

    assertThat(words()).isZero();
  }

  /** To fill a file is a whole write of the drive. */
  @ParameterizedTest
  @EnumSource(How.class)
  void shouldOverwriteTheFileOnceOnly(How how) throws IOException {
    live(clear -> clear, WORD, 100);
    live(encrypted(how), "another", 10);
    plant();

    live(encrypted(how), "another", 10);
    assertThat(words()).isOne();

    live(clear -> clear, "another", 10);
    live(encrypted(how), "another", 10);
    assertThat(words()).isZero();
  }

  @ParameterizedTest
  @EnumSource(How.class)
  void shouldNotOverwriteAFileThatIsNew(How how) throws IOException {
    live(encrypted(how), "another", 0);
    plant();

    live(encrypted(how), "another", 0);

    assertThat(words()).isOne();
  }

  /** Writes a word where no block is. */
  private void plant() throws IOException {
    try (FileChannel file =
        FileChannel.open(directory.resolve("flash"), StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(WORD.getBytes(StandardCharsets.US_ASCII)), CAPACITY - 5 * PAGE);
    }
  }
}
