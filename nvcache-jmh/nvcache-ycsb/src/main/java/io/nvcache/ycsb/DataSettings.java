// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb;

import io.nvcache.hbase.compaction.CompactionOutputs;
import io.nvcache.ycsb.store.StoreOptions;
import java.nio.file.Path;

/**
 * The data set and the store that serves it.
 *
 * @param records how many records are loaded
 * @param fieldCount fields of a record
 * @param fieldLengthBytes length of a field
 * @param blockBytes the store's block size
 * @param dramTierBytes the store's block cache in DRAM
 * @param memtableBytes writes gathered in memory before they are flushed to a file
 * @param compactAtFiles number of files from which they are merged into one
 * @param compactionOutputs what the second tier makes of the blocks that are merged into
 */
public record DataSettings(
    long records,
    int fieldCount,
    int fieldLengthBytes,
    int blockBytes,
    long dramTierBytes,
    long memtableBytes,
    int compactAtFiles,
    CompactionOutputs compactionOutputs) {

  /** The bytes of all values, without keys and whatever the store adds. */
  public long valueBytes() {
    return records * fieldCount * fieldLengthBytes;
  }

  StoreOptions storeOptions(Path directory) {
    return new StoreOptions(
        directory,
        records,
        fieldCount,
        fieldLengthBytes,
        blockBytes,
        dramTierBytes,
        memtableBytes,
        compactAtFiles,
        compactionOutputs);
  }
}
