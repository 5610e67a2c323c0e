// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.io.IOException;
import java.util.Arrays;
import org.apache.lucene.store.IndexInput;

/**
 * One incarnation of a file: its id in the cache, and what tells its bytes from those of a namesake
 * that somebody else put in its place.
 */
final class CachedFile {
  /** The footer that Lucene's codecs end a file with: its checksum and their magic number. */
  private static final int FOOTER_BYTES = 16;

  final long id;
  final long lengthBytes;
  final FileClass fileClass;
  private final byte[] footer;

  private volatile boolean gone;

  CachedFile(long id, long lengthBytes, FileClass fileClass, byte[] footer) {
    this.id = id;
    this.lengthBytes = lengthBytes;
    this.fileClass = fileClass;
    this.footer = footer;
  }

  /** The last bytes of a file that was just opened; the input is back at its start afterwards. */
  static byte[] footer(IndexInput input) throws IOException {
    byte[] footer = new byte[(int) Math.min(FOOTER_BYTES, input.length())];
    if (footer.length > 0) {
      input.seek(input.length() - footer.length);
      input.readBytes(footer, 0, footer.length);
      input.seek(0);
    }
    return footer;
  }

  boolean is(long otherLengthBytes, byte[] otherFooter) {
    return lengthBytes == otherLengthBytes && Arrays.equals(footer, otherFooter);
  }

  /** From now on nothing of this file is offered. */
  void end() {
    gone = true;
  }

  boolean isGone() {
    return gone;
  }
}
