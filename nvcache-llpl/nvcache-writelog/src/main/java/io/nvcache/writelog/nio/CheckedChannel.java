// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;

/**
 * The checks of a file channel before it does anything: that it is open, also for this call, and
 * that the arguments are possible. A call that may wait runs between {@link #beginCall} and {@link
 * #endCall}, so that an interrupt closes the channel and ends the call, as of the platform's; not
 * after {@link #becomeUninterruptible}, as of the platform's asynchronous channels.
 */
abstract class CheckedChannel extends FileChannel {
  /** How the channel was opened. */
  final ChannelMode mode;

  private volatile boolean uninterruptible;

  CheckedChannel(ChannelMode mode) {
    this.mode = mode;
  }

  /** Has calls continue when their thread is interrupted. */
  final void becomeUninterruptible() {
    uninterruptible = true;
  }

  /** Begins a call; {@link #endCall} must follow, in a {@code finally}. */
  final void beginCall() throws IOException {
    if (!uninterruptible) {
      begin();
    }
    requireOpen();
  }

  /**
   * Ends a call.
   *
   * @param completed whether it did what it was asked for
   */
  final void endCall(boolean completed) throws AsynchronousCloseException {
    if (!uninterruptible) {
      end(completed);
    } else if (!completed && !isOpen()) {
      throw new AsynchronousCloseException();
    }
  }

  /** The work of a call. */
  @FunctionalInterface
  interface Work {
    void run() throws IOException;
  }

  /** Runs a call that is rare enough to have an object made for it. */
  final void call(Work work) throws IOException {
    boolean completed = false;
    try {
      beginCall();
      work.run();
      completed = true;
    } finally {
      endCall(completed);
    }
  }

  final void requireOpen() throws IOException {
    if (!isOpen()) {
      throw new ClosedChannelException();
    }
  }

  final void requireReadable() throws IOException {
    requireOpen();
    if (!mode.reads()) {
      throw new NonReadableChannelException();
    }
  }

  final void requireWritable() throws IOException {
    requireOpen();
    if (!mode.writes()) {
      throw new NonWritableChannelException();
    }
  }

  static void requireNotNegative(String name, long value) {
    if (value < 0) {
      throw new IllegalArgumentException(name + " is " + value + "; it must not be negative");
    }
  }
}
