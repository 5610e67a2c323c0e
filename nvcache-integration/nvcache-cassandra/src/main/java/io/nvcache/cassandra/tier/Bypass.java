// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.tier;

/** The reason for which something that Cassandra did went past the cache. */
public enum Bypass {
  /** A data file was opened while it is still written: its end may be cut off and rewritten. */
  OPENED_EARLY,
  /** A data file of a table that is not to be cached was opened. */
  TABLE_EXCLUDED,
  /** A read that is longer than a chunk can be, as of scans that read ahead. */
  SCAN_READ_AHEAD,
  /** A chunk that compaction, validation or an index build read, and that was not cached. */
  COMPACTION_READ,
  /** A read that the file system answered with less than was asked for. */
  SHORT_READ,
  /**
   * A compressed chunk whose checksum does not match its bytes, or that was read without it though
   * others were read with it.
   */
  WRONG_SUM,
  /** A cached chunk was shorter than what was wanted, and was dropped. */
  CACHED_TOO_SHORT,
  /** A compaction ended without a commit: the heat of its outputs is dropped. */
  COMPACTION_FAILED,
  /** Too many compactions waited for their hot chunks to be read back: the oldest was dropped. */
  HEAT_QUEUE_FULL,
  /** A hot chunk was not read back: its file is gone already, or heat was switched off. */
  HEAT_FILE_GONE,
  /** The cache threw; it should not. */
  FAILURE
}
