// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MemoryPinTest {
  /**
   * Interpreted, the steps of a read lie so far apart that threads come between them in a few
   * hundred pins; compiled, they lie a few nanoseconds apart.
   */
  @Test
  void shouldGiveItsSpaceBackOnceWhoeverTriesToReadItTooLate() throws Exception {
    assertThat(ChildJvm.run(List.of("-Xint"), LateReaders.class))
        .contains("pinned 0, used 0 bytes");
  }
}
