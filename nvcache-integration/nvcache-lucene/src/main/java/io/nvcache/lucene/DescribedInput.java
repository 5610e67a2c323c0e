// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.FileIdentity;
import java.io.IOException;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * An input of a delegate that says which file it reads: such as an object in a store whose name
 * never means another one. {@link NvCacheDirectory} opens such a file without reading it, where
 * each read would be a request.
 */
public interface DescribedInput {
  /** Bytes of the footer that Lucene's codecs end a file with: its checksum and a magic number. */
  int FOOTER_BYTES = 16;

  /** The most blocks of a file, or a part of one, that counts as small, such as metadata. */
  int SMALL_BLOCKS = 4;

  /**
   * Returns the last {@value #FOOTER_BYTES} bytes of the file, where Lucene's codecs keep its
   * checksum. A file with another footer, or another length, is taken for another file.
   */
  byte[] footer();

  /**
   * Returns what names the file's bytes beyond the life of the cache, and how its blocks are cut.
   *
   * @return null if no later process is to find its blocks, or if it gets a name {@linkplain
   *     NvCacheDirectory#identify later}
   */
  @Nullable FileIdentity identity();

  /**
   * Reads the footer of a file that was just opened; the input is back at its start afterwards.
   *
   * @return all of a file that is shorter
   * @throws IOException if it can't be read
   */
  static byte[] readFooter(IndexInput input) throws IOException {
    byte[] footer = new byte[(int) Math.min(FOOTER_BYTES, input.length())];
    if (footer.length > 0) {
      input.seek(input.length() - footer.length);
      input.readBytes(footer, 0, footer.length);
      input.seek(0);
    }
    return footer;
  }
}
