// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import io.nvcache.FileIdentity;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.codecs.CodecUtil;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.store.RemoteDirectory;
import org.opensearch.index.store.RemoteSegmentStoreDirectory.UploadedSegmentMetadata;
import org.opensearch.secure_sm.AccessController;

/**
 * A file of a shard in the remote store: an object whose name ends in a UUID, so that it never
 * means other bytes. It is read by that name, whatever the shard's metadata says by that time.
 * Immutable.
 */
final class RemoteFile implements WarmInput.DescribedBytes {
  private final RemoteDirectory store;
  private final RemoteCounts counts;
  private final String objectName;
  private final long lengthBytes;
  private final long checksum;
  private final int blockBytes;

  RemoteFile(
      RemoteDirectory store,
      RemoteCounts counts,
      UploadedSegmentMetadata metadata,
      int blockBytes) {
    this.store = store;
    this.counts = counts;
    this.objectName = metadata.getUploadedFilename();
    this.lengthBytes = metadata.getLength();
    this.checksum = Long.parseLong(metadata.getChecksum());
    this.blockBytes = blockBytes;
  }

  @Override
  public long lengthBytes() {
    return lengthBytes;
  }

  /** Returns the footer that Lucene's codecs write: OpenSearch uploads no file without one. */
  @Override
  public byte[] footer() {
    return ByteBuffer.allocate(CodecUtil.footerLength())
        .putInt(CodecUtil.FOOTER_MAGIC)
        .putInt(0)
        .putLong(checksum)
        .array();
  }

  /** Blocks that are cut differently are not found. */
  @Override
  public FileIdentity identity() {
    return FileIdentity.of(
        "opensearch",
        objectName,
        Long.toString(lengthBytes),
        Long.toString(checksum),
        Integer.toString(blockBytes));
  }

  /** Reads a range by one request. */
  @Override
  public @Nullable IndexInput read(
      @Nullable IndexInput own, long position, byte[] dst, int from, int length)
      throws IOException {
    counts.requests.increment();
    counts.bytes.add(length);
    boolean complete = false;
    try (IndexInput range = range(position, length)) {
      range.readBytes(dst, from, length);
      complete = true;
    } finally {
      if (!complete) {
        counts.failures.increment();
      }
    }
    return null;
  }

  private IndexInput range(long position, int length) throws IOException {
    // A script that reads a field may be on the stack, and has no right to open anything.
    return AccessController.<IndexInput, IOException>doPrivilegedChecked(
        () -> store.openBlockInput(objectName, position, length, lengthBytes, IOContext.DEFAULT));
  }

  @Override
  public String toString() {
    return objectName;
  }
}
