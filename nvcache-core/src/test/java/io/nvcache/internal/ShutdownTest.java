// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.background.Ending;
import io.nvcache.internal.gate.CallGate;
import io.nvcache.stats.StripedCounters;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A cache that could not be closed for want of something can be closed later. */
final class ShutdownTest {
  private final AtomicInteger waits = new AtomicInteger();
  private final AtomicInteger freed = new AtomicInteger();

  private final Ending work =
      new Ending() {
        @Override
        public void end() {}

        @Override
        public boolean awaitEnd(long nanos) {
          if (waits.incrementAndGet() == 1) {
            throw new OutOfMemoryError("unable to create native thread");
          }
          return true;
        }
      };

  @Test
  void shouldFreeTheCacheWhenClosedAgainAfterAnError() {
    Shutdown shutdown =
        new Shutdown(
            new CallGate(new StripedCounters()), List.of(work), 0, List.of(freed::incrementAndGet));
    assertThatThrownBy(shutdown::run).isInstanceOf(OutOfMemoryError.class);
    assertThat(freed).hasValue(0);
    shutdown.run();
    assertThat(freed).hasValue(1);
    shutdown.run();
    assertThat(freed).as("once").hasValue(1);
    assertThat(waits).hasValue(2);
  }
}
