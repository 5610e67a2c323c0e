// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RegisteredFilesTest {
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);

  private final RegisteredFiles files = new RegisteredFiles();

  /** A negative sum would count as a small data set, and bypass the cache. */
  @Test
  void shouldNotOverflow() {
    for (long file = 0; file < 5; file++) {
      files.register(file, Long.MAX_VALUE);
      assertThat(files.bytes()).hasValue(Long.MAX_VALUE);
    }
    files.register(5, 7);
    for (long file = 0; file < 5; file++) {
      files.unregister(file);
    }
    assertThat(files.bytes()).as("exact again").hasValue(7);
  }

  @Test
  void shouldSumUpAnyLengths() {
    SplittableRandom random = new SplittableRandom(1);
    Map<Long, Long> model = new HashMap<>();
    for (int i = 0; i < 20_000; i++) {
      long file = random.nextLong(20);
      if (random.nextBoolean()) {
        long length = random.nextLong() >>> 1 + random.nextInt(60);
        files.register(file, length);
        model.put(file, length);
      } else {
        files.unregister(file);
        model.remove(file);
      }
      BigInteger sum =
          model.values().stream().map(BigInteger::valueOf).reduce(BigInteger.ZERO, BigInteger::add);
      assertThat(files.bytes().orElse(0)).isEqualTo(sum.min(MOST).longValueExact());
    }
  }
}
