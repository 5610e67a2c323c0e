// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.log.LoggedFile;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.jspecify.annotations.Nullable;

/**
 * A lock of the platform that says which logged channel has it. Other processes may read the file
 * before it and after it, so nothing is deferred at its begin and its end.
 */
final class LoggedFileLock extends FileLock {
  private final LoggedFile file;
  private final FileLock platform;

  private LoggedFileLock(FileChannel channel, LoggedFile file, FileLock platform) {
    super(channel, platform.position(), platform.size(), platform.isShared());
    this.file = file;
    this.platform = platform;
  }

  private LoggedFileLock(AsynchronousFileChannel channel, LoggedFile file, FileLock platform) {
    super(channel, platform.position(), platform.size(), platform.isShared());
    this.file = file;
    this.platform = platform;
  }

  static @Nullable FileLock of(FileChannel channel, LoggedFile file, @Nullable FileLock platform)
      throws IOException {
    return platform == null ? null : published(new LoggedFileLock(channel, file, platform));
  }

  static @Nullable FileLock of(
      AsynchronousFileChannel channel, LoggedFile file, @Nullable FileLock platform)
      throws IOException {
    return platform == null ? null : published(new LoggedFileLock(channel, file, platform));
  }

  private static LoggedFileLock published(LoggedFileLock lock) throws IOException {
    try {
      lock.file.publish();
      return lock;
    } catch (IOException | RuntimeException | Error e) {
      lock.platform.release();
      throw e;
    }
  }

  @Override
  public boolean isValid() {
    return platform.isValid();
  }

  @Override
  public void release() throws IOException {
    try {
      if (isValid()) {
        file.publish();
      }
    } finally {
      platform.release();
    }
  }
}
