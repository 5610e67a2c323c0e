// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.FileIdentity;
import org.jspecify.annotations.Nullable;

/**
 * An input of a delegate that says which file it reads: an object in a store, say, whose name never
 * means another one. {@link NvCacheDirectory} opens such a file without reading it, where each read
 * would be a request.
 */
public interface DescribedInput {
  /**
   * Returns the last 16 bytes of the file, where Lucene's codecs keep its checksum. A file with
   * another footer, or another length, is taken for another file.
   */
  byte[] footer();

  /**
   * Returns what names the file's bytes beyond the life of the cache, and how its blocks are cut.
   *
   * @return null if no later process is to find its blocks, or if it gets a name {@linkplain
   *     NvCacheDirectory#identify later}
   */
  @Nullable FileIdentity identity();
}
