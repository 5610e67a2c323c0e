// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.Race;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class EventRingsTest {
  private final EventRings rings = new EventRings(3);

  @Test
  void shouldHandOnEventsInTheOrderOfTheirThread() {
    List<Long> read = new ArrayList<>();
    for (long round = 0; round < 20; round++) {
      for (long i = 0; i < 100; i++) {
        rings.write(1, round * 100 + i, -i, i << 6);
      }
      rings.drainTo(
          (file, offset, meta) -> {
            assertThat(offset).isEqualTo(-(file % 100));
            assertThat(meta).isEqualTo(file % 100 << 6);
            read.add(file);
          });
    }
    assertThat(read).hasSize(2_000).isSorted();
    assertThat(rings.dropped()).isZero();
  }

  @Test
  void shouldDropWhatDoesNotFitAndCountIt() {
    int halfFull = 0;
    for (int i = 0; i < EventRings.EVENTS + 7; i++) {
      halfFull += rings.write(0, i, 0, 0) ? 1 : 0;
    }
    AtomicInteger read = new AtomicInteger();
    rings.drainTo((file, offset, meta) -> read.incrementAndGet());

    assertThat(read).hasValue(EventRings.EVENTS);
    assertThat(rings.dropped()).isEqualTo(7);
    assertThat(halfFull).as("times the reader is called").isEqualTo(1);
  }

  @Test
  void shouldNeitherTearNorRepeatEventsOfRacingThreads() throws Exception {
    int writers = 3;
    int events = 100_000;
    AtomicLong torn = new AtomicLong();
    AtomicLong read = new AtomicLong();
    long[] last = new long[writers];
    AtomicInteger done = new AtomicInteger();
    EventRings.Reader reader =
        (file, offset, meta) -> {
          int writer = (int) (file % writers);
          if (offset != file * 31 || meta != file * 17 || file <= last[writer]) {
            torn.incrementAndGet();
          }
          last[writer] = file;
          read.incrementAndGet();
        };
    Race.run(
        writers + 1,
        thread -> {
          if (thread == writers) {
            while (done.get() < writers) {
              rings.drainTo(reader);
            }
            return;
          }
          for (long i = 1; i <= events; i++) {
            long file = i * writers + thread;
            if (thread == 0) {
              rings.write(0, file, file * 31, file * 17);
            } else {
              rings.writeShared(1, file, file * 31, file * 17);
            }
          }
          done.incrementAndGet();
        });
    rings.drainTo(reader);

    assertThat(torn).hasValue(0);
    assertThat(read.get()).isPositive();
    assertThat(read.get() + rings.dropped()).isEqualTo((long) writers * events);
  }
}
