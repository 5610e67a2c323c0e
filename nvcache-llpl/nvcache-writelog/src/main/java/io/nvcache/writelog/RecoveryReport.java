// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import java.util.List;

/**
 * The outcome of a recovery, or of its dry run.
 *
 * @param records that were written to their files
 * @param bytes of them
 * @param files that they went to
 * @param renamed of these files, those that had another name when they were written
 * @param deleted files that the program had deleted, or taken out of the roots, before the crash
 * @param orphans where the bytes went that have no file any more; none if there were none
 * @param modified files that changed after their last record, by a program that did not use the
 *     log; a recovery that is not forced refuses them
 * @param damagedRecords that were acknowledged and lack their bytes, which are lost: the medium is
 *     damaged, or another thread changed a buffer while it was written
 * @param logBytes of the log that were read
 */
public record RecoveryReport(
    long records,
    long bytes,
    int files,
    int renamed,
    int deleted,
    List<String> orphans,
    List<String> modified,
    long damagedRecords,
    long logBytes) {
  /** Copies the lists. */
  public RecoveryReport {
    orphans = List.copyOf(orphans);
    modified = List.copyOf(modified);
  }

  /** Returns whether there was nothing to do. */
  public boolean isEmpty() {
    return records == 0 && orphans.isEmpty() && modified.isEmpty() && damagedRecords == 0;
  }
}
