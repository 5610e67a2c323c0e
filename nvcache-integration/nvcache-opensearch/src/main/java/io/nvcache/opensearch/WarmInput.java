// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import io.nvcache.FileIdentity;
import io.nvcache.lucene.DescribedInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file of a shard, or a part of it. The cache in front asks by whole blocks; what is read
 * past the cache follows this input's own buffer.
 *
 * <p>As any {@link IndexInput}, for one thread at a time; clones and slices are independent.
 */
final class WarmInput extends BufferedIndexInput implements DescribedInput {
  private static final int BUFFER_BYTES = 128 << 10;

  private final Bytes bytes;
  private final long start;
  private final long end;
  private boolean root;
  private @Nullable IndexInput own;
  private boolean closed;

  /** The bytes of a file, which all inputs of one opening share. Thread-safe. */
  interface Bytes {
    long lengthBytes();

    byte[] footer();

    @Nullable FileIdentity identity();

    /**
     * Reads a range.
     *
     * @param own what the last call for the same reader returned; null at first
     * @return what that reader has to itself
     */
    @Nullable IndexInput read(
        @Nullable IndexInput own, long position, byte[] dst, int from, int length)
        throws IOException;

    void close() throws IOException;
  }

  WarmInput(Bytes bytes) {
    super("WarmInput(" + bytes + ")", BUFFER_BYTES);
    this.bytes = bytes;
    this.start = 0;
    this.end = bytes.lengthBytes();
    this.root = true;
  }

  private WarmInput(String description, WarmInput whole, long start, long length) {
    super(description, BUFFER_BYTES);
    this.bytes = whole.bytes;
    this.start = start;
    this.end = start + length;
  }

  @Override
  public byte[] footer() {
    return bytes.footer();
  }

  @Override
  public @Nullable FileIdentity identity() {
    return bytes.identity();
  }

  @Override
  public long length() {
    return end - start;
  }

  @Override
  protected void seekInternal(long position) throws IOException {
    if (position > length()) {
      throw new EOFException("read past EOF: pos=" + position + ": " + this);
    }
  }

  @Override
  protected void readInternal(ByteBuffer dst) throws IOException {
    ensureOpen();
    long position = start + getFilePointer();
    int length = dst.remaining();
    if (position + length > end) {
      throw new EOFException("read past EOF: " + this);
    }
    // Lucene's buffer and those that it wraps are arrays.
    own = bytes.read(own, position, dst.array(), dst.arrayOffset() + dst.position(), length);
    dst.position(dst.position() + length);
  }

  @Override
  public WarmInput clone() {
    ensureOpen();
    WarmInput clone = (WarmInput) super.clone();
    clone.root = false;
    clone.own = null;
    return clone;
  }

  @Override
  public IndexInput slice(String description, long offset, long length) {
    ensureOpen();
    if ((length | offset) < 0 || length > length() - offset) {
      throw new IllegalArgumentException(
          "slice() " + description + " out of bounds: " + offset + ", " + length + ": " + this);
    }
    return new WarmInput(getFullSliceDescription(description), this, start + offset, length);
  }

  private void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      if (root) {
        bytes.close();
      }
    }
  }
}
