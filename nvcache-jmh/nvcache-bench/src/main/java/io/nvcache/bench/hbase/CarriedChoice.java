// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Measurements;

/**
 * Which blocks a compaction carried when nothing was read until it was done, and what the best
 * choice of as many would have been in hindsight.
 *
 * @param contender that carried
 * @param blocks that the compaction wrote
 * @param carried blocks of them that were cached
 * @param reads that would follow, by the same distribution
 * @param readsOfCarried the ones that are of a carried block
 * @param readsOfBest reads of as many blocks that get the most of them
 */
record CarriedChoice(
    CompactionContender contender,
    int blocks,
    int carried,
    long reads,
    long readsOfCarried,
    long readsOfBest) {
  /** Adds what was measured. */
  void report(Measurements scenario) {
    Measurements out =
        scenario.with("engine", contender.engine().label()).with("keys", contender.keys().label());
    out.add("compaction_output_blocks", blocks, "blocks").add("carried_blocks", carried, "blocks");
    out.with("choice", "heat").add("later_reads_kept", keptRatio(), "ratio");
    out.with("choice", "hindsight").add("later_reads_kept", bestRatio(), "ratio");
  }

  /** The part of the reads that the carried blocks serve. */
  double keptRatio() {
    return (double) readsOfCarried / reads;
  }

  /** The part of the reads that the best choice would serve. */
  double bestRatio() {
    return (double) readsOfBest / reads;
  }
}
