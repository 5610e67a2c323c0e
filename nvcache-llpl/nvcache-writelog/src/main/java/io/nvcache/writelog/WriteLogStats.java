// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

/**
 * Figures of a log, since it was opened where they count.
 *
 * @param records that were appended
 * @param bytes that they held
 * @param pendingBytes of the log that hold what is not drained
 * @param capacityBytes of all lanes
 * @param pendingRecords that are not drained
 * @param pendingPages whose newest bytes only the log has, where writes are deferred
 * @param pageIndexBytes of memory that say where they are
 * @param absorbedForces calls that needed no sync, since the log is durable
 * @param forces calls that reached the disk
 * @param waits of writers for room
 * @param failedWrites that the disk refused, and whose callers heard so
 * @param drains rounds that gave room back
 * @param syncs of files by the drain
 * @param drainFailures syncs that failed
 * @param repairs files that were written again from the log
 * @param orphanBytes that were saved from sick files
 * @param sickFiles that can't be written any more
 * @param drainFailure why the last round failed; empty if it did not
 */
public record WriteLogStats(
    long records,
    long bytes,
    long pendingBytes,
    long capacityBytes,
    long pendingRecords,
    long pendingPages,
    long pageIndexBytes,
    long absorbedForces,
    long forces,
    long waits,
    long failedWrites,
    long drains,
    long syncs,
    long drainFailures,
    long repairs,
    long orphanBytes,
    long sickFiles,
    String drainFailure) {}
