// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.Seeds;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The policies compared with naive models of them: every lookup has the same answer. */
class RivalModelTest {
  private static final int REQUESTS = 4_000;

  static Stream<Arguments> models() {
    return Stream.of(
        model("lru", NaiveCaches::lru),
        model("fifo", NaiveCaches::fifo),
        model("sieve", NaiveCaches::sieve),
        model("s3-fifo", NaiveCaches::s3Fifo));
  }

  private static Arguments model(String rival, IntFunction<LongPredicate> model) {
    return Arguments.of(rival, model);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("models")
  void shouldAnswerLikeItsModel(String name, IntFunction<LongPredicate> model) {
    Seeds.each(
        20,
        random -> {
          int capacity = 1 + random.nextInt(60);
          MiniCache cache = new MiniCache(capacity, rival(name).pair(1));
          LongPredicate naive = model.apply(capacity);
          int hits = 0;
          for (int i = 0; i < REQUESTS; i++) {
            long block = skewed(random, 4 * capacity);
            boolean hit = cache.request(block);
            assertThat(hit).as("request %s, block %s", i, block).isEqualTo(naive.test(block));
            hits += hit ? 1 : 0;
          }
          assertThat(hits).isBetween(1, REQUESTS - 1);
        });
  }

  private static Rival rival(String name) {
    return Rival.all().stream().filter(r -> r.name().equals(name)).findFirst().orElseThrow();
  }

  /** Squares make the low numbers the hot ones. */
  private static long skewed(Random random, int blocks) {
    double uniform = random.nextDouble();
    return (long) (uniform * uniform * blocks);
  }
}
