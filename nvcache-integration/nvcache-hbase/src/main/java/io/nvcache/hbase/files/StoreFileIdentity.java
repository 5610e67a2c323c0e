// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.FileIdentity;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * What an HFile is known by beyond the life of a region server: its name, which HBase makes of a
 * random UUID, so that no other file has it, on any server. Renaming it does not change its bytes:
 * a region that moves takes its files along. Files of other names, such as the files of tools and
 * tests, are not known.
 *
 * <p>Blocks are cached as this version of HBase lays them out in memory, packed or unpacked as the
 * site has it. Another version does not find them, nor a server of another site: HBase takes the
 * form of a cached block for granted.
 */
public final class StoreFileIdentity {
  /** The version of the way in which {@code BlockPayload} writes a block. */
  private static final String PAYLOAD = "1";

  /** A UUID without its dashes, and what bulk loads, links and references add. */
  private static final Pattern UNIQUE = Pattern.compile("[0-9a-f]{32}.*");

  private StoreFileIdentity() {}

  /** Returns the identity of the HFile of a name; empty if the name may be another's as well. */
  public static Optional<FileIdentity> of(String hfileName, @Nullable Configuration site) {
    return UNIQUE.matcher(hfileName).matches()
        ? Optional.of(
            FileIdentity.of("hfile", PAYLOAD, VersionInfo.getVersion(), form(site), hfileName))
        : Optional.empty();
  }

  private static String form(@Nullable Configuration site) {
    boolean packed =
        site == null
            ? CacheConfig.DEFAULT_CACHE_DATA_COMPRESSED
            : site.getBoolean(
                CacheConfig.CACHE_DATA_BLOCKS_COMPRESSED_KEY,
                CacheConfig.DEFAULT_CACHE_DATA_COMPRESSED);
    return packed ? "packed" : "unpacked";
  }

  /**
   * Returns ids for the HFiles of a cache, each of which is identified before it is used.
   *
   * @param site the server's settings; null means the defaults
   */
  public static FileIdRegistry registry(BlockCache cache, @Nullable Configuration site) {
    return new FileIdRegistry(
        (name, id) -> of(name, site).ifPresent(identity -> cache.identify(id, identity)));
  }
}
