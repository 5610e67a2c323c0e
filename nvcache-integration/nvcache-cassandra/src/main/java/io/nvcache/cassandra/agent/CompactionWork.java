// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.agent;

import java.nio.ByteBuffer;

/**
 * The events of one compaction, in their order, as the woven code reports them. No method throws;
 * all are called by the thread of the compaction.
 */
public abstract class CompactionWork {
  /** Notes that the compaction continues to the chunk of an input that begins at this offset. */
  public abstract void reads(CachedFile input, long offset);

  /**
   * Notes that a partition is written next.
   *
   * @param writer of the data file
   * @param path of the data file
   * @param table tells the tables of a node apart
   * @param key of the partition; unchanged when the method returns
   * @param position in the data file before compression
   */
  public abstract void begins(Object writer, String path, int table, ByteBuffer key, long position);

  /** Notes that a partition has been written, and where the next one begins. */
  public abstract void ends(Object writer, long position);

  /** Notes that a compressed chunk has been written, and where it lies in the file. */
  public abstract void wrote(Object writer, long offset, long end);

  /**
   * Ends the compaction.
   *
   * @param committed whether its outputs have replaced its inputs
   */
  public abstract void over(boolean committed);
}
