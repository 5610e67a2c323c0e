// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.contender;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LaneTest {
  @Test
  void shouldTouchAllLinesOfABlockAboutEquallyOften() {
    Lane lane = new Lane(ByteBuffer.allocate(16384), 0, 1);
    int lines = 16384 / Lane.LINE_BYTES;
    int[] touches = new int[lines];
    for (int i = 0; i < 100 * lines; i++) {
      int at = lane.nextPlace();
      assertThat(at % Lane.LINE_BYTES).isZero();
      touches[at / Lane.LINE_BYTES]++;
    }

    assertThat(IntStream.of(touches).min().orElseThrow()).isGreaterThanOrEqualTo(95);
    assertThat(IntStream.of(touches).max().orElseThrow()).isLessThanOrEqualTo(105);
  }

  @Test
  void shouldSeeAWrongStamp() {
    Lane lane = new Lane(ByteBuffer.allocate(64), 0, 1);
    lane.found(5, Contender.stamp(5));
    assertThat(lane.sawRightBytes()).isTrue();

    lane.found(6, Contender.stamp(5));

    assertThat(lane.sawRightBytes()).isFalse();
    assertThat(lane.found()).isEqualTo(2);
  }
}
