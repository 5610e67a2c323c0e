// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.micro;

import io.nvcache.bench.sample.KeyWalk;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** One thread's buffers and its way through the blocks. */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH calls prepare() first.
public class Reader {
  private static final AtomicInteger READERS = new AtomicInteger();

  /** Parts of the round by which the readers lie apart; irrational, so that no two meet. */
  private static final double GOLDEN_RATIO = 0.618033988749895;

  ByteBuffer heap;
  ByteBuffer direct;
  KeyWalk walk;

  @Setup
  public void prepare(FilledCache filled) {
    heap = ByteBuffer.allocate(filled.blockBytes);
    direct = ByteBuffer.allocateDirect(filled.blockBytes);
    double part = READERS.getAndIncrement() * GOLDEN_RATIO % 1;
    walk = KeyWalk.uniform(filled.cachedKeys, 42).startingAt(part);
  }
}
