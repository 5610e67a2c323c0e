// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MovingPinTest {
  /** Interpreted, the steps of a call lie so far apart that other threads come between them. */
  @Test
  void shouldShowOneBlockWhateverThreadsShareIt() throws Exception {
    assertThat(ChildJvm.run(List.of("-Xint"), SharedMovingPin.class))
        .contains("wrong 0, pinned 0, used 0 bytes");
  }

  @Test
  void shouldShowOneBlockWhateverThreadsShareItCompiled() throws Exception {
    assertThat(ChildJvm.run(SharedMovingPin.class)).contains("wrong 0, pinned 0, used 0 bytes");
  }
}
