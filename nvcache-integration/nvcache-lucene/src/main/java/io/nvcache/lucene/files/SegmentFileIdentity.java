// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.files;

import io.nvcache.FileIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.IndexInput;

/**
 * What a file of an index is known by beyond the life of a process: its name, its length, what its
 * codec began it with, where the random id of its segment is, and what the codec ended it with, a
 * checksum of all of it. Files that no codec wrote are not known.
 *
 * <p>Blocks are cut at multiples of a length. Where they are cut differently they are not found.
 */
public final class SegmentFileIdentity {
  /** More than magic number, name of the codec, version and segment's id take. */
  private static final int BEGINNING_BYTES = 192;

  private static final int MAGIC_BYTES = Integer.BYTES;

  private SegmentFileIdentity() {}

  /**
   * Reads the identity of a file that was just opened; the input is back at its start afterwards.
   *
   * @param footer the file's last bytes
   */
  public static Optional<FileIdentity> of(
      String name, IndexInput input, byte[] footer, int blockBytes) throws IOException {
    byte[] beginning = new byte[(int) Math.min(BEGINNING_BYTES, input.length())];
    input.readBytes(beginning, 0, beginning.length);
    input.seek(0);
    if (!begins(beginning, CodecUtil.CODEC_MAGIC) || !begins(footer, CodecUtil.FOOTER_MAGIC)) {
      return Optional.empty();
    }
    return Optional.of(
        FileIdentity.of(
            "lucene",
            name,
            Long.toString(input.length()),
            HexFormat.of().formatHex(beginning),
            HexFormat.of().formatHex(footer),
            Integer.toString(blockBytes)));
  }

  private static boolean begins(byte[] bytes, int magic) {
    return bytes.length > MAGIC_BYTES && ByteBuffer.wrap(bytes).getInt() == magic;
  }
}
