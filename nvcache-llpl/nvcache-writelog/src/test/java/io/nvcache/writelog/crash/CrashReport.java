// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import java.util.List;

/**
 * What a run of emulated crashes found.
 *
 * @param crashes of the machine while a program wrote
 * @param recoveryCrashes of the machine while it recovered
 * @param writes that were acknowledged
 * @param reads that were compared with what was acknowledged
 * @param records that recoveries replayed
 * @param lost files that lacked acknowledged bytes, held others, or were missing, and reads that
 *     returned others
 * @param resurrected files that were there though their deletion was acknowledged
 * @param findings the first few, for people; each names the seed
 */
public record CrashReport(
    long crashes,
    long recoveryCrashes,
    long writes,
    long reads,
    long records,
    long lost,
    long resurrected,
    List<String> findings) {
  /** Copies the findings. */
  public CrashReport {
    findings = List.copyOf(findings);
  }

  /** Returns whether nothing was wrong. */
  public boolean isClean() {
    return lost == 0 && resurrected == 0;
  }
}
