// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.eviction.EvictionContract;
import io.nvcache.eviction.EvictionFactory;

class SieveContractTest extends EvictionContract {
  @Override
  protected EvictionFactory factory() {
    return SieveEviction::new;
  }

  @Override
  protected long metadataBytes(int slots) {
    return (2L * (slots + 1) + slots) * Integer.BYTES;
  }
}
