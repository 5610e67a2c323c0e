// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A heap that was full for a while costs the cache none of its threads. */
final class HeapExhaustionTest {
  @Test
  void shouldDoItsBackgroundWorkAfterwards() throws Exception {
    assertThat(ChildJvm.run(List.of("-Xmx64m"), HeapExhaustion.class))
        .contains(
            "exhausted=true used=0 threads=[nvcache-maintenance, nvcache-shadow] conditions={}");
  }
}
