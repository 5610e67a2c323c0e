// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AwaitedCommitsTest {
  private final AtomicInteger looks = new AtomicInteger();
  private final CountDownLatch end = new CountDownLatch(1);

  private static void never() {
    throw new AssertionError();
  }

  @Test
  void shouldGoOnAtOnceWhereTheCommitIsWhole() {
    try (AwaitedCommits commits = new AwaitedCommits(1)) {
      commits.await(() -> true, end::countDown, AwaitedCommitsTest::never);
      assertThat(end.getCount()).isZero();
    }
  }

  @Test
  void shouldLookAgainUntilItIs() throws Exception {
    try (AwaitedCommits commits = new AwaitedCommits(AwaitedCommits.MOST_LOOKS)) {
      commits.await(() -> looks.incrementAndGet() == 3, end::countDown, AwaitedCommitsTest::never);
      end.await();
      assertThat(looks).hasValue(3);
    }
  }

  @Test
  void shouldGiveUpInTheEnd() throws Exception {
    try (AwaitedCommits commits = new AwaitedCommits(3)) {
      commits.await(() -> looks.incrementAndGet() > 3, AwaitedCommitsTest::never, end::countDown);
      end.await();
      assertThat(looks).hasValue(3);
    }
  }

  @Test
  void shouldLookAgainAfterAFailure() throws Exception {
    try (AwaitedCommits commits = new AwaitedCommits(AwaitedCommits.MOST_LOOKS)) {
      commits.await(
          () -> {
            if (looks.incrementAndGet() < 3) {
              throw new IllegalStateException("as the test wants it");
            }
            return true;
          },
          end::countDown,
          AwaitedCommitsTest::never);
      end.await();
    }
  }

  @Test
  void shouldGiveUpWhatIsPendingOnceItIsClosed() {
    AwaitedCommits commits = new AwaitedCommits(AwaitedCommits.MOST_LOOKS);
    commits.await(() -> false, AwaitedCommitsTest::never, end::countDown);
    commits.close();
    assertThat(end.getCount()).isZero();
    commits.close();
  }
}
