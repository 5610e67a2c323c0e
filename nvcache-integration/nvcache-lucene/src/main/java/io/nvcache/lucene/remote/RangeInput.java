// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.remote;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file, or a part of it, by ranges as long as its buffer, or as what is asked for at once.
 *
 * <p>As any {@link IndexInput}, for one thread at a time; clones and slices are independent.
 */
public class RangeInput extends BufferedIndexInput {
  private final Bytes bytes;
  private final long start;
  private final long end;
  private boolean root;
  private @Nullable IndexInput own;
  private boolean closed;

  /** The bytes of a file, which all inputs of one opening share. Thread-safe. */
  public interface Bytes {
    /** Returns how many there are. */
    long lengthBytes();

    /**
     * Reads a range.
     *
     * @param own what the last call for the same reader returned; null at first
     * @param position the first byte
     * @param dst where to put the bytes
     * @param from the first place in {@code dst}
     * @param length how many bytes, all of which the file has
     * @return what that reader has to itself; null if nothing
     * @throws IOException if they can't be read
     */
    @Nullable IndexInput read(
        @Nullable IndexInput own, long position, byte[] dst, int from, int length)
        throws IOException;

    /** Called once the input that was opened is closed. Does nothing by default. */
    default void close() throws IOException {}
  }

  /**
   * Opens a file.
   *
   * @param bufferBytes of the input and of each clone and slice
   */
  public RangeInput(String description, Bytes bytes, int bufferBytes) {
    super(description, bufferBytes);
    this.bytes = bytes;
    this.start = 0;
    this.end = bytes.lengthBytes();
    this.root = true;
  }

  private RangeInput(String description, RangeInput whole, long start, long length) {
    super(description, whole.getBufferSize());
    this.bytes = whole.bytes;
    this.start = start;
    this.end = start + length;
  }

  @Override
  public final long length() {
    return end - start;
  }

  @Override
  protected final void seekInternal(long position) throws IOException {
    if (position > length()) {
      throw new EOFException("read past EOF: pos=" + position + ": " + this);
    }
  }

  @Override
  protected final void readInternal(ByteBuffer dst) throws IOException {
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
  public RangeInput clone() {
    ensureOpen();
    RangeInput clone = (RangeInput) super.clone();
    clone.root = false;
    clone.own = null;
    return clone;
  }

  @Override
  public final IndexInput slice(String description, long offset, long length) {
    ensureOpen();
    if ((length | offset) < 0 || length > length() - offset) {
      throw new IllegalArgumentException(
          "slice() " + description + " out of bounds: " + offset + ", " + length + ": " + this);
    }
    return new RangeInput(getFullSliceDescription(description), this, start + offset, length);
  }

  private void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
  }

  @Override
  public final void close() throws IOException {
    if (!closed) {
      closed = true;
      if (root) {
        bytes.close();
      }
    }
  }
}
