// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.medium.ForwardingMedium;
import io.nvcache.medium.NativeMedium;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Memory that now and then stores one bit wrong. */
final class FlippedMedium extends ForwardingMedium {
  private boolean flipNext;

  FlippedMedium(long capacityBytes) {
    super(NativeMedium.allocate(capacityBytes));
  }

  void flipNextWrite() {
    flipNext = true;
  }

  @Override
  public void write(long offset, ByteBuffer src, int position, int length) throws IOException {
    ByteBuffer written = src;
    if (flipNext) {
      written = ByteBuffer.allocate(src.capacity()).put(0, src, 0, src.limit());
      int at = position + length / 2;
      written.put(at, (byte) (written.get(at) ^ 1));
      flipNext = false;
    }
    inner().write(offset, written, position, length);
  }
}
