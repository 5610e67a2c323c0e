// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

/** The treatment of files that changed after the log's last record. */
public enum ModifiedFiles {
  /** Refuses to recover anything: a program ran without the log. */
  REFUSE,
  /** Replays what the log holds over them. */
  OVERWRITE
}
