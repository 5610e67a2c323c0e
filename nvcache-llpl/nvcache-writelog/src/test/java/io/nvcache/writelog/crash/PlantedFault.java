// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import io.nvcache.writelog.Propagation;

/**
 * A mistake that a log or its recovery might make, put in from outside. A proof that stays green
 * with one of them proves nothing.
 */
public enum PlantedFault {
  /** None. */
  NONE,
  /** No cache line of a record is written back. */
  RECORD_NOT_FLUSHED,
  /** Of a record only the header's line is. */
  PAYLOAD_NOT_FLUSHED,
  /** A record is durable only when the next one of its lane is. */
  FLUSHED_TOO_LATE,
  /** Recovery takes a record with a wrong sum. */
  SUM_IGNORED,
  /** Recovery takes a record of an epoch that was recovered before. */
  EPOCH_IGNORED,
  /** Room is used again before the drained number is durable. */
  DRAINED_SEQ_NOT_FLUSHED,
  /** Room is used again before the lanes' tails are durable. */
  TAILS_NOT_FLUSHED,
  /** A record names a file that the table does not hold durably. */
  TABLE_NOT_FLUSHED,
  /** The drain frees what no sync brought to the disk. */
  SYNC_LEFT_OUT,
  /** The name of a created file is not synced. */
  DIRECTORY_SYNC_LEFT_OUT,
  /** A sync's failure is taken for a success. */
  SYNC_FAILURE_IGNORED,
  /** After a failed sync, the next one is believed. */
  SECOND_SYNC_BELIEVED,
  /** What a cut left in the last block counts as written, though a sync of it failed. */
  CUT_BELIEVED,
  /** Recovery replays what lies in the processor's cache only. */
  RECOVERY_FLUSH_LEFT_OUT,
  /** Recovery empties the log before it has synced the files. */
  RECOVERY_SYNC_LEFT_OUT,
  /** A file is renamed while the log has records for its old name. */
  RENAMED_UNDRAINED,
  /** A file is deleted while the log has records for it. */
  DELETED_UNDRAINED,
  /** Bytes are visible, and may reach the disk, before the log has them. */
  APPLIED_FIRST,
  /** The drain frees what was never written to the file. */
  WRITE_LEFT_OUT,
  /** A reader takes what the file holds, though newer bytes are deferred. */
  READ_WITHOUT_LOG,
  /** A reader looks for deferred bytes only after they may have left the log for the file. */
  LOG_READ_TOO_LATE,
  /** A file is known by the number of its inode alone, which the next one gets. */
  BIRTH_IGNORED(true),
  /** Recovery takes what lies at a path for the file that had it. */
  PATH_BELIEVED(true),
  /** Recovery does not look for a file by other names. */
  SEARCH_LEFT_OUT(true),
  /** A program's force of a directory does not reach the log. */
  DIRECTORY_FORCE_UNSEEN(true),
  /** Names that changed past the log are believed to lead to their files. */
  NAMES_BELIEVED(true),
  /** After a loss of power, a file that is nowhere counts as deleted. */
  RUN_IGNORED(true),
  /** Recovery forgets a deleted file while a loss of power may yet bring it back. */
  DELETION_NOT_SYNCED(true);

  private final boolean ofNames;

  PlantedFault() {
    this(false);
  }

  PlantedFault(boolean ofNames) {
    this.ofNames = ofNames;
  }

  /** Returns whether only a program shows it that changes names past the log. */
  public boolean isOfNames() {
    return ofNames;
  }

  /** Returns whether a log could make the mistake. */
  public boolean isPossible(Propagation propagation) {
    if (propagation == Propagation.DEFERRED) {
      return this != RUN_IGNORED; // No page cache has all then.
    }
    return (this != READ_WITHOUT_LOG && this != LOG_READ_TOO_LATE);
  }
}
