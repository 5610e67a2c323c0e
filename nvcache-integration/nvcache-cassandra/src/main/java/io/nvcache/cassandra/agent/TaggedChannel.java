// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import org.jspecify.annotations.Nullable;

/** What the weaving makes of a {@code ChannelProxy}: one with a field for a {@link CachedFile}. */
public interface TaggedChannel {
  /** Returns the tag; null when reads of the channel are not cached. */
  @Nullable CachedFile nvcacheFile();

  /** Sets the tag, before any other thread sees the channel. */
  void nvcacheFile(CachedFile file);
}
