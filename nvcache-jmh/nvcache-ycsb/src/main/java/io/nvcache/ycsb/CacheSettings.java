// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.device.MediumChoice;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all second tiers of a benchmark have in common.
 *
 * @param media the kinds of medium that are compared
 * @param path where a medium with files has them, or what their names begin with
 * @param nvramScale speed of the emulated NVRAM; 1 = the paper's
 * @param capacityBytes bytes of the medium
 * @param overheadTarget medium writes per lookup, as a ratio
 * @param smallBypassDramBytes DRAM that a page cache is taken to have; 0 = no small bypass
 * @param evictionWindow LFRU's window
 */
public record CacheSettings(
    List<MediumChoice> media,
    @Nullable Path path,
    double nvramScale,
    long capacityBytes,
    double overheadTarget,
    long smallBypassDramBytes,
    Duration evictionWindow) {
  private static final int DEFAULT_MAX_BLOCK_BYTES = 256 << 10;

  /** Room for blocks that a row or an index makes longer than the store expects. */
  public static int maxBlockBytes(int blockBytes) {
    return Math.max(DEFAULT_MAX_BLOCK_BYTES, 2 * blockBytes);
  }

  /** Copies the list. */
  public CacheSettings {
    media = List.copyOf(media);
  }

  /** A medium in words, with the speed of an emulated one. */
  public String title(MediumChoice medium) {
    return medium == MediumChoice.EMULATED_NVRAM
        ? medium.title() + " at " + nvramScale + " × the speed of the paper's"
        : medium.title();
  }

  /** The medium of one policy's cache. All of them are open at the same time. */
  Medium open(PolicyChoice policy, MediumChoice medium) throws IOException {
    return medium.open(place(policy), nvramScale, capacityBytes);
  }

  /** Returns where one policy's medium goes: no two share a place, in a directory either. */
  @Nullable Path place(PolicyChoice policy) {
    if (path == null) {
      return null;
    }
    return Files.isDirectory(path)
        ? path.resolve(policy.label())
        : path.resolveSibling(path.getFileName() + "-" + policy.label());
  }

  BlockCache build(PolicyChoice policy, Medium medium, int blockBytes, String name) {
    BlockCacheBuilder builder =
        BlockCache.builder()
            .medium(medium)
            .expectedBlockBytes(blockBytes)
            .maxBlockBytes(maxBlockBytes(blockBytes))
            .overheadTarget(overheadTarget)
            .smallBypassDramBytes(smallBypassDramBytes)
            .evictionWindow(evictionWindow)
            .registerMBean(name);
    policy.configure(builder);
    return builder.build();
  }
}
