// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import java.io.IOException;
import java.util.Map;

/**
 * A write log as a management bean, {@code io.nvcache:type=WriteLog,name=FILE}. It sends a
 * notification when a condition begins, {@code io.nvcache.condition.begun}, and when it ends,
 * {@code io.nvcache.condition.ended}; the user data is its name.
 */
public interface WriteLogMXBean {
  /** Returns what acknowledged writes survive: {@code POWER_FAIL} or {@code PROCESS_CRASH}. */
  String getGrade();

  /** Returns how the log's bytes become durable. */
  String getPersistence();

  /** Returns whether the log only plays persistent memory. */
  boolean isEmulated();

  /** Returns the conditions that the log is in, each with its reason. */
  Map<String, String> getConditions();

  /** Returns how many records were appended. */
  long getRecords();

  /** Returns how many bytes they held. */
  long getBytes();

  /** Returns how many records are not drained. */
  long getPendingRecords();

  /** Returns the bytes of the log that hold them. */
  long getPendingBytes();

  /** Returns when writes reach the page cache: {@code ON_WRITE} or {@code DEFERRED}. */
  String getPropagation();

  /** Returns how many pages have their newest bytes in the log only. */
  long getPendingPages();

  /** Returns the bytes of memory that say where they are. */
  long getPageIndexBytes();

  /** Returns the bytes of all lanes. */
  long getCapacityBytes();

  /** Returns how many calls of {@code force} needed no sync. */
  long getAbsorbedForces();

  /** Returns how many calls of {@code force} reached the disk. */
  long getForces();

  /** Returns how often the drain synced a file. */
  long getSyncs();

  /** Returns how often a writer waited for room. */
  long getWaits();

  /** Returns how many writes the disk refused. */
  long getFailedWrites();

  /** Returns how often a sync of the drain failed. */
  long getDrainFailures();

  /** Returns why the last round of the drain failed; empty if it did not. */
  String getDrainFailure();

  /** Returns why files can't be written any more, one line each. */
  String[] getSickFiles();

  /** Returns how many bytes were saved from sick files. */
  long getOrphanBytes();

  /** Brings all that was acknowledged to the files' disk. */
  void drain() throws IOException;
}
