// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What all second tiers of a benchmark have in common.
 *
 * @param medium the kind of medium
 * @param path where a medium with files has them
 * @param nvramScale speed of the emulated NVRAM; 1 = the paper's
 * @param capacityBytes bytes of the medium
 * @param overheadTarget medium writes per lookup, as a ratio
 * @param smallBypassDramBytes DRAM that a page cache is taken to have; 0 = no small bypass
 * @param evictionWindow LFRU's window
 */
public record CacheSettings(
    MediumChoice medium,
    @Nullable Path path,
    double nvramScale,
    long capacityBytes,
    double overheadTarget,
    long smallBypassDramBytes,
    Duration evictionWindow) {
  private static final int DEFAULT_MAX_BLOCK_BYTES = 256 << 10;

  /** Room for blocks that a row or an index makes longer than the store was told. */
  public static int maxBlockBytes(int blockBytes) {
    return Math.max(DEFAULT_MAX_BLOCK_BYTES, 2 * blockBytes);
  }

  BlockCache build(PolicyChoice policy, int blockBytes) throws IOException {
    BlockCacheBuilder builder =
        BlockCache.builder()
            .medium(medium.open(path, nvramScale, capacityBytes))
            .expectedBlockBytes(blockBytes)
            .maxBlockBytes(maxBlockBytes(blockBytes))
            .overheadTarget(overheadTarget)
            .smallBypassDramBytes(smallBypassDramBytes)
            .evictionWindow(evictionWindow)
            .registerMBean("ycsb-" + policy.label());
    policy.configure(builder);
    return builder.build();
  }
}
