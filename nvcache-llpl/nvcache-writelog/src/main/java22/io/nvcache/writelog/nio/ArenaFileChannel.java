// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;

/** Adds what file channels have since JDK 22; by default that mapping throws. */
final class ArenaFileChannel extends LoggedFileChannel {
  ArenaFileChannel(
      LogEngine engine, LoggedFile file, FileChannel platform, ChannelMode mode, Cursor cursor) {
    super(engine, file, platform, mode, cursor);
  }

  @Override
  public MemorySegment map(MapMode mode, long offset, long size, Arena arena) throws IOException {
    beforeMap(mode);
    return platform().map(mode, offset, size, arena);
  }
}
