// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The plainest {@link ReusablePin} there is: it takes a new pin for each block. */
final class PinPerBlock implements ReusablePin {
  private final BlockCache cache;
  private @Nullable PinnedBlock pin;

  PinPerBlock(BlockCache cache) {
    this.cache = cache;
  }

  @Override
  public synchronized int moveTo(long fileId, long offset) {
    PinnedBlock next = cache.pinOrCopy(fileId, offset);
    unpin();
    pin = next;
    return next == null ? BlockCache.MISS : next.length();
  }

  @Override
  public synchronized int copyRange(int from, ByteBuffer dst) {
    PinnedBlock now = pin;
    if (now == null) {
      throw new IllegalStateException("this pin is on no block");
    }
    Objects.checkFromToIndex(from, now.length(), now.length());
    int bytes = Math.min(dst.remaining(), now.length() - from);
    dst.put(now.buffer().slice(from, bytes));
    return bytes;
  }

  @Override
  public synchronized void unpin() {
    PinnedBlock last = pin;
    pin = null;
    if (last != null) {
      last.close();
    }
  }
}
