// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.eviction.EvictionContract;
import io.nvcache.eviction.EvictionFactory;

class S3FifoContractTest extends EvictionContract {
  @Override
  protected EvictionFactory factory() {
    return S3Fifo.pair().eviction();
  }

  @Override
  protected long metadataBytes(int slots) {
    return 2 * (2L * (slots + 1) + slots) * Integer.BYTES;
  }
}
