// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

/**
 * The way in which a channel or a stream was opened.
 *
 * @param reads whether it may be read
 * @param writes whether it may be written
 * @param appends whether each write goes to the end of the file
 * @param syncsEachWrite whether each write is durable when it returns
 */
record ChannelMode(boolean reads, boolean writes, boolean appends, boolean syncsEachWrite) {
  static final ChannelMode READER = new ChannelMode(true, false, false, false);
}
