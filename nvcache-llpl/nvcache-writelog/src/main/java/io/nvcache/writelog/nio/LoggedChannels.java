// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LoggedFile;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** Makes logged channels of the kind that this JDK has: from 22 on they map with an arena. */
final class LoggedChannels {
  private static final String OF_NEWER_JDK = "io.nvcache.writelog.nio.ArenaFileChannel";

  /** Of the class in the jar's part for JDK 22 and later; null before. */
  private static final @Nullable MethodHandle NEWER = find();

  private LoggedChannels() {}

  private static @Nullable MethodHandle find() {
    try {
      return MethodHandles.lookup()
          .findConstructor(
              Class.forName(OF_NEWER_JDK),
              MethodType.methodType(
                  void.class,
                  LogEngine.class,
                  LoggedFile.class,
                  FileChannel.class,
                  ChannelMode.class,
                  Cursor.class));
    } catch (ClassNotFoundException | UnsupportedClassVersionError e) {
      return null; // An older JDK, or a jar that one has built.
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("the jar's part for JDK 22 does not fit", e);
    }
  }

  /** Makes a channel with its own cursor, and the caller's use of the file. */
  static LoggedFileChannel open(
      LogEngine engine, LoggedFile file, FileChannel platform, ChannelMode mode) {
    return open(engine, file, platform, mode, new OwnCursor(engine, file));
  }

  /** Makes a channel. */
  static LoggedFileChannel open(
      LogEngine engine, LoggedFile file, FileChannel platform, ChannelMode mode, Cursor cursor) {
    MethodHandle newer = NEWER;
    if (newer == null) {
      return new LoggedFileChannel(engine, file, platform, mode, cursor);
    }
    try {
      return (LoggedFileChannel) newer.invoke(engine, file, platform, mode, cursor);
    } catch (Throwable e) {
      throw new IllegalStateException("no channel of this JDK can be made", e);
    }
  }
}
