// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import java.util.function.LongSupplier;

/** The clock of a cache that has no thread: it jumps between steps, and stands still in them. */
final class HuntClock implements LongSupplier {
  private volatile long nanos = System.nanoTime();

  @Override
  public long getAsLong() {
    return nanos;
  }

  void jump(long byNanos) {
    nanos += byNanos;
  }
}
