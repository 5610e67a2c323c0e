// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** How reads turned out. */
final class Checked {
  private final AtomicInteger right = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();
  private final AtomicInteger failed = new AtomicInteger();
  private final AtomicReference<Throwable> firstFailure = new AtomicReference<>();

  void add(boolean isRight) {
    (isRight ? right : wrong).incrementAndGet();
  }

  void add(Checked other) {
    right.addAndGet(other.right.get());
    wrong.addAndGet(other.wrong.get());
    failed.addAndGet(other.failed.get());
    firstFailure.compareAndSet(null, other.firstFailure.get());
  }

  void failed(Throwable error) {
    failed.incrementAndGet();
    firstFailure.compareAndSet(null, error);
  }

  int wrong() {
    return wrong.get();
  }

  int failed() {
    return failed.get();
  }

  void assertAllRight(int reads) {
    assertThat(failed.get()).as("failed reads, first: %s", firstFailure.get()).isZero();
    assertThat(wrong.get()).as("wrong or missing values").isZero();
    assertThat(right.get()).as("right values").isEqualTo(reads);
  }

  @Override
  public String toString() {
    return right + " right, " + wrong + " wrong, " + failed + " failed";
  }
}
