// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

/** The treatment of files that changed after the log's last record, or whose root is missing. */
public enum ModifiedFiles {
  /** Refuses to recover anything: a program ran without the log, or the root is not mounted. */
  REFUSE,
  /** Replays what the log holds over them, or takes it to the orphans. */
  OVERWRITE
}
