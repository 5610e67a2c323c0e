// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ForwardingBlockCacheTest {
  /** A default method that is not forwarded would answer for a cache that knows better. */
  @Test
  void shouldForwardEveryMethod() {
    List<String> forwarded =
        Arrays.stream(ForwardingBlockCache.class.getDeclaredMethods())
            .map(ForwardingBlockCacheTest::signature)
            .toList();
    List<String> all =
        Arrays.stream(BlockCache.class.getMethods())
            .filter(method -> !Modifier.isStatic(method.getModifiers()))
            .map(ForwardingBlockCacheTest::signature)
            .toList();

    assertThat(forwarded).containsAll(all);
  }

  private static String signature(Method method) {
    return method.getName() + Arrays.toString(method.getParameterTypes());
  }
}
