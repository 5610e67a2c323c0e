// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.testing.ChildJvm;
import org.junit.jupiter.api.Test;

/** Runs each program as its reader would. */
final class ProgramsTest {
  @Test
  void shouldCacheAFirstBlock() throws Exception {
    assertThat(ChildJvm.run(FirstBlock.class)).contains("offered: ADMITTED", "found 16384 bytes");
  }

  @Test
  void shouldReadFiles() throws Exception {
    assertThat(ChildJvm.run(ReadFiles.class))
        .containsPattern("the second tier: \\{.*lookup\\.miss\\.not_cached=[1-9]");
  }

  @Test
  void shouldCarryHeat() throws Exception {
    assertThat(ChildJvm.run(SmallStore.class)).containsPattern("carried.admitted: [1-9]");
  }

  @Test
  void shouldWatch() throws Exception {
    assertThat(ChildJvm.run(WatchedCache.class))
        .contains("lookups by Micrometer: 1.0", "lookups by JMX: 1", "overhead target: 0.2");
  }

  @Test
  void shouldHavePoliciesOfItsOwn() throws Exception {
    assertThat(ChildJvm.run(OwnPolicies.class))
        .contains("first offer: NOT_WORTH_IT", "second offer: ADMITTED");
  }

  @Test
  void shouldHaveAMediumOfItsOwn() throws Exception {
    assertThat(ChildJvm.run(OwnMedium.class)).contains("read 4096 bytes");
  }
}
