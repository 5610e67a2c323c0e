// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.jspecify.annotations.Nullable;

/** A lock of the platform that says which logged channel has it. */
final class LoggedFileLock extends FileLock {
  private final FileLock platform;

  private LoggedFileLock(FileChannel channel, FileLock platform) {
    super(channel, platform.position(), platform.size(), platform.isShared());
    this.platform = platform;
  }

  private LoggedFileLock(AsynchronousFileChannel channel, FileLock platform) {
    super(channel, platform.position(), platform.size(), platform.isShared());
    this.platform = platform;
  }

  static @Nullable FileLock of(FileChannel channel, @Nullable FileLock platform) {
    return platform == null ? null : new LoggedFileLock(channel, platform);
  }

  static @Nullable FileLock of(AsynchronousFileChannel channel, @Nullable FileLock platform) {
    return platform == null ? null : new LoggedFileLock(channel, platform);
  }

  @Override
  public boolean isValid() {
    return platform.isValid();
  }

  @Override
  public void release() throws IOException {
    platform.release();
  }
}
