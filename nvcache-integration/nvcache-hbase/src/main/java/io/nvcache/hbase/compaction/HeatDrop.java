// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

/** Why the hot blocks of a compaction's outputs were not cached after it. */
enum HeatDrop {
  /** It ended without a commit, or its store does not serve the outputs. */
  COMPACTION_FAILED,
  /** Too many compactions waited for their hot blocks to be cached: the oldest was dropped. */
  HEAT_QUEUE_FULL,
  /** Heat was turned off before all of its hot blocks were cached. */
  HEAT_TURNED_OFF
}
