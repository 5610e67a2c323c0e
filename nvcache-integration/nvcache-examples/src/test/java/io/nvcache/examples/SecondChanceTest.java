// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.eviction.EvictionContract;
import io.nvcache.eviction.EvictionFactory;

/** Does what each eviction policy must. */
final class SecondChanceTest extends EvictionContract {
  @Override
  protected EvictionFactory factory() {
    return SecondChance::new;
  }

  @Override
  protected long metadataBytes(int slots) {
    return 0;
  }
}
