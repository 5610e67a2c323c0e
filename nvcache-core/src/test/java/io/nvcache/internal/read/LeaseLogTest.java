// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.PinnedBlock;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

final class LeaseLogTest {
  @Test
  void shouldCloseALeaseThatCantBeListed() {
    PinnedBlock lease = new CopyLease(ByteBuffer.allocate(8));
    LeaseLog log =
        new LeaseLog(
            () -> {
              throw new OutOfMemoryError("of the test");
            });

    assertThatThrownBy(() -> log.list(lease, 1, 0)).isInstanceOf(OutOfMemoryError.class);

    assertThat(log.openLeases()).isZero();
    assertThatThrownBy(() -> lease.getLong(0)).hasMessageContaining("the lease is closed");
  }
}
