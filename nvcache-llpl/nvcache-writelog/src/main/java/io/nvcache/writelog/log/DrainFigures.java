// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

/**
 * The figures of a drain since the log was opened.
 *
 * @param rounds that moved the drained number
 * @param syncs of files
 * @param failures of a sync or of a write that was tried again
 * @param repairs files whose bytes were written again from the log
 * @param orphanBytes that were saved from files that can't be written
 */
public record DrainFigures(
    long rounds, long syncs, long failures, long repairs, long orphanBytes) {}
