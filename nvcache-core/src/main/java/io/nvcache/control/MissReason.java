// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

/** The reason for which a lookup missed. Each miss is counted under one of them. */
public enum MissReason {
  /** The block is not cached, or its file was forgotten. */
  NOT_CACHED,
  /** Writers kept changing the block's bucket, time and again. */
  CONTENDED,
  /**
   * Pins hold all the bytes, or the block all the pins, that they may; or, where pins are copies,
   * the JVM had no direct memory for one more.
   */
  PIN_REFUSED,
  /** The JVM had no direct memory to read the block into. It stays cached. */
  NO_DIRECT_MEMORY,
  /** The medium failed to give the bytes. */
  MEDIUM_FAILED,
  /** The block was on one of several drives, which failed or is lost. */
  DRIVE_FAILED,
  /** The medium gave other bytes than were written. */
  CORRUPT,
  /** The medium failed too often, or hangs, and is not asked for now. */
  OUT_OF_SERVICE,
  /**
   * The block is cached, but the call threw: the buffer is too small, or the range outside. Of a
   * pin: the block was replaced by a longer one while it was copied.
   */
  INVALID_CALL,
  /** The cache is closed. */
  CLOSED
}
