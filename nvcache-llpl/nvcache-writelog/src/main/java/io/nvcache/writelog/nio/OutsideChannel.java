// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;

/** A channel that writes past the log, of which the log knows until it is closed. */
record OutsideChannel(SeekableByteChannel platform, OutsideChanges.Writer writer)
    implements SeekableByteChannel {
  @Override
  public int read(ByteBuffer target) throws IOException {
    return platform.read(target);
  }

  @Override
  public int write(ByteBuffer source) throws IOException {
    return platform.write(source);
  }

  @Override
  public long position() throws IOException {
    return platform.position();
  }

  @Override
  public SeekableByteChannel position(long newPosition) throws IOException {
    platform.position(newPosition);
    return this;
  }

  @Override
  public long size() throws IOException {
    return platform.size();
  }

  @Override
  public SeekableByteChannel truncate(long size) throws IOException {
    platform.truncate(size);
    return this;
  }

  @Override
  public boolean isOpen() {
    return platform.isOpen();
  }

  @Override
  public void close() throws IOException {
    try (OutsideChanges.Writer ends = writer) {
      platform.close();
    }
  }
}
