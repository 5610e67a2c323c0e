// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.woven;

import java.io.FileDescriptor;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import org.jspecify.annotations.Nullable;

/** Answers the streams and descriptors of {@code java.io}, by the numbers of {@link PathCalls}. */
public interface StreamCalls {
  /** A stream is about to open a file for reading. */
  void beforeReading(FileDescriptor descriptor, String path) throws IOException;

  /**
   * A stream is about to open a file for writing.
   *
   * @param stream that will have the descriptor
   * @param appends whether each write goes to the end
   * @param cuts whether the file is cut to nothing
   * @param syncs whether each write is to be durable by itself
   */
  void beforeWriting(
      Object stream,
      FileDescriptor descriptor,
      String path,
      boolean appends,
      boolean cuts,
      boolean syncs)
      throws IOException;

  /** A stream is about to be closed. */
  void beforeClosing(FileDescriptor descriptor);

  /** Returns whether a write to the file of a descriptor is to be asked for. */
  boolean isLogged(FileDescriptor descriptor);

  /** Writes at the descriptor's position. */
  int write(Object stream, FileDescriptor descriptor, byte[] bytes, int offset, int length)
      throws IOException;

  /** Cuts or extends a file. */
  int setLength(RandomAccessFile stream, FileDescriptor descriptor, long bytes) throws IOException;

  /** Brings a file to the disk. */
  int sync(FileDescriptor descriptor) throws IOException;

  /** Returns a channel over a stream. */
  @Nullable FileChannel channelOf(Object stream, FileDescriptor descriptor) throws IOException;

  /** Does by itself what a native method of the JDK did that was woven over. */
  void syncPlain(FileDescriptor descriptor) throws IOException;

  /** Does by itself what a native method of the JDK did that was woven over. */
  void setLengthPlain(RandomAccessFile stream, FileDescriptor descriptor, long bytes)
      throws IOException;
}
