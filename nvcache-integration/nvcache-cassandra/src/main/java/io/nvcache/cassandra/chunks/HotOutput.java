// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import io.nvcache.Rewrite;
import java.nio.file.Path;

/**
 * A data file that a compaction writes, and the recent lookups of what is in each of its chunks.
 * Reports each chunk that is complete. A partition of many chunks is read in part, so its lookups
 * count in full for its first chunk, half for the second, a third for the third. For one thread.
 */
final class HotOutput {
  /** The chunks of a compressed file end where their writer says. */
  static final int COMPRESSED = 0;

  private final Rewrite rewrite;
  private final long id;
  private final Object fileKey;
  private final Path path;

  /** How long the chunks are that readers will ask for; {@link #COMPRESSED} if that varies. */
  private final int chunkBytes;

  /** Where the chunk begins that is written now, if the file is not compressed. */
  private long chunkStart;

  /** Lookups of the partitions that are complete in the chunk. */
  private double lookups;

  /** Lookups of the partition that is written now. */
  private double partitionLookups;

  private int chunksOfPartition;

  HotOutput(Rewrite rewrite, long id, Object fileKey, Path path, int chunkBytes) {
    this.rewrite = rewrite;
    this.id = id;
    this.fileKey = fileKey;
    this.path = path;
    this.chunkBytes = chunkBytes;
  }

  /** Returns the id of the file's life, or of the one that it will begin. */
  long id() {
    return id;
  }

  /** Equal for the same file as long as it lives. */
  Object fileKey() {
    return fileKey;
  }

  /** Returns where the file lies. */
  Path path() {
    return path;
  }

  /** Returns whether chunks end with their checksums. */
  boolean isCompressed() {
    return chunkBytes == COMPRESSED;
  }

  /** Notes that a partition is written next. */
  void begins(int recentLookups) {
    partitionLookups = recentLookups;
    chunksOfPartition = 0;
  }

  /** Notes that the partition ends before this position, not compressed. */
  void ends(long position) {
    while (chunkBytes != COMPRESSED && chunkStart + chunkBytes <= position) {
      complete(chunkStart, chunkBytes);
      chunkStart += chunkBytes;
    }
    if (chunkBytes == COMPRESSED || chunkStart < position) {
      lookups += share();
    }
    partitionLookups = 0;
  }

  /** Notes a compressed chunk, with its checksum. */
  void wrote(long offset, long end) {
    if (chunkBytes == COMPRESSED && end > offset) {
      complete(offset, (int) (end - offset));
    }
  }

  private void complete(long offset, int lengthBytes) {
    rewrite.wrote(id, offset, lengthBytes, lookups + share());
    lookups = 0;
    chunksOfPartition++;
  }

  private double share() {
    return partitionLookups / (chunksOfPartition + 1);
  }
}
