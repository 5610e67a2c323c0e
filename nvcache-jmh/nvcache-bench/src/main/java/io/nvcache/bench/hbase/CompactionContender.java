// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Measurements;

/**
 * What is compared under a major compaction.
 *
 * @param engine the second level
 * @param keys where the hot rows lie
 * @param heat whether the cache carries the heat of the compaction's inputs
 */
record CompactionContender(HBaseEngine engine, KeyOrder keys, boolean heat) {
  /** Returns a list for what is measured of it. */
  Measurements labelled(Measurements scenario) {
    return scenario
        .with("engine", engine.label())
        .with("keys", keys.label())
        .with("heat", heat ? "on" : "off");
  }
}
