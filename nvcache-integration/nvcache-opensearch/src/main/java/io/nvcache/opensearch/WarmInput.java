// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import io.nvcache.FileIdentity;
import io.nvcache.lucene.DescribedInput;
import io.nvcache.lucene.remote.RangeInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of a shard, or a part of it. The cache in front asks by whole blocks; what is read
 * past the cache follows this input's own buffer.
 *
 * <p>For one thread at a time; clones and slices are independent.
 */
final class WarmInput extends RangeInput implements DescribedInput {
  private static final int BUFFER_BYTES = 128 << 10;

  private final DescribedBytes bytes;

  /** The bytes of a file and what describes them. Thread-safe. */
  interface DescribedBytes extends RangeInput.Bytes {
    byte[] footer();

    @Nullable FileIdentity identity();
  }

  WarmInput(DescribedBytes bytes) {
    super("WarmInput(" + bytes + ")", bytes, BUFFER_BYTES);
    this.bytes = bytes;
  }

  @Override
  public byte[] footer() {
    return bytes.footer();
  }

  @Override
  public @Nullable FileIdentity identity() {
    return bytes.identity();
  }
}
