// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;

/**
 * A view of a caller's buffer with its own position and limit, which no other thread moves. It is
 * made again only when the buffer is another one than the last time, or the garbage collector has
 * taken the view: most callers read into one buffer again and again, and then nothing is allocated.
 * Keeps no buffer from being collected.
 *
 * <p>Used by one thread at a time.
 */
public final class BufferView {
  private WeakReference<ByteBuffer> buffer = new WeakReference<>(ByteBuffer.allocate(0));
  private WeakReference<ByteBuffer> view = buffer;

  /** Returns a view of a part of a buffer, from its position to its limit. */
  @SuppressWarnings("ReferenceEquality") // Equal bytes are not the same buffer.
  public ByteBuffer of(ByteBuffer wanted, int position, int lengthBytes) {
    ByteBuffer its = buffer.get() == wanted ? view.get() : null;
    if (its == null) {
      its = wanted.duplicate();
      buffer = new WeakReference<>(wanted);
      view = new WeakReference<>(its);
    }
    return its.clear().position(position).limit(position + lengthBytes);
  }
}
