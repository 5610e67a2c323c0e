// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.PinnedBlock;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class PinLogTest {
  @Test
  void shouldCloseAPinThatCantBeListed() {
    PinnedBlock pin = new CopyPin(ByteBuffer.allocate(8));
    PinLog log =
        new PinLog(
            () -> {
              throw new OutOfMemoryError("of the test");
            });

    assertThatThrownBy(() -> log.list(pin, 1, 0)).isInstanceOf(OutOfMemoryError.class);

    assertThat(log.openPins()).isZero();
    assertThatThrownBy(() -> pin.getLong(0)).hasMessageContaining("the pin is closed");
  }
}
