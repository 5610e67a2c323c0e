// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import org.jspecify.annotations.Nullable;

/**
 * The result of weaving a {@code ChannelProxy}, and of a {@code CompressionMetadata} where heat is
 * followed: one with a field for a {@link CachedFile}.
 */
public interface Tagged {
  /** Returns the tag; null when reads of the file are not cached. */
  @Nullable CachedFile nvcacheFile();

  /** Sets the tag, before any other thread sees the object. */
  void nvcacheFile(CachedFile file);
}
