// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.BlockWalk;
import io.nvcache.DataSet;
import io.nvcache.internal.background.Rounds;
import io.nvcache.internal.health.Health;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.settings.Thresholds;
import io.nvcache.internal.tune.LiveTuning;
import io.nvcache.shadow.LiveShadows;
import java.util.function.Supplier;

/**
 * What operators and hosts manage a cache by.
 *
 * @param files counts the blocks of a file
 * @param walks makes walks over the index
 */
record Controls(
    Thresholds settings,
    DataSet dataSet,
    LiveShadows shadows,
    LiveTuning tuning,
    Health health,
    Rounds rounds,
    FileTable files,
    Supplier<BlockWalk> walks) {
  void maintain() {
    rounds.run();
  }

  BlockWalk walk() {
    return walks.get();
  }

  long countBlocks(long fileId) {
    return files.blocks(fileId);
  }
}
