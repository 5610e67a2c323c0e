// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionChain;
import io.nvcache.admission.DecayingOverheadBypass;
import java.nio.ByteBuffer;

/** A cache with your own admission and eviction. */
public final class OwnPolicies {
  private OwnPolicies() {}

  /** Offers a block twice, and prints both answers. */
  public static void main(String[] arguments) {
    try (BlockCache cache = open(64 << 20)) {
      ByteBuffer block = ByteBuffer.allocate(4096);
      for (int lookup = 0; lookup < 100; lookup++) { // What the overhead target is a part of.
        cache.get(1, 0, block);
      }
      System.out.println("first offer: " + cache.offer(1, 0, block, Source.READ));
      System.out.println("second offer: " + cache.offer(1, 0, block, Source.READ));
    }
  }

  // region policies
  static BlockCache open(long capacityBytes) {
    return BlockCache.builder()
        .nativeMemory(capacityBytes)
        .admission(AdmissionChain.of(SecondOffer::new, DecayingOverheadBypass::new))
        .eviction(SecondChance::new)
        .build();
  }
  // endregion policies
}
