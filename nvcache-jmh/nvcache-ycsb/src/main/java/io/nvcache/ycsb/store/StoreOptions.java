// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import io.nvcache.hbase.compaction.CompactionOutputs;
import java.util.Properties;

/**
 * The shape of a store.
 *
 * @param records how many records to load
 * @param fieldCount fields of a record
 * @param fieldLengthBytes bytes of a field
 * @param blockBytes data bytes of one HFile block, the unit of caching
 * @param dramTierBytes bytes of the DRAM tier, 0 for none
 * @param memtableBytes bytes of updates to gather in memory before they are flushed to a file
 * @param compactAtFiles how many files may hold one key before some are merged
 * @param compactionOutputs what the second tier makes of the blocks that are merged into
 */
public record StoreOptions(
    long records,
    int fieldCount,
    int fieldLengthBytes,
    int blockBytes,
    long dramTierBytes,
    long memtableBytes,
    int compactAtFiles,
    CompactionOutputs compactionOutputs) {
  /** The shortest block that there may be. */
  public static final int MIN_BLOCK_BYTES = 1 << 10;

  /** The longest block that there may be. */
  public static final int MAX_BLOCK_BYTES = 1 << 20;

  /** The fewest files that may be merged. */
  public static final int MIN_COMPACT_AT_FILES = 2;

  /** The most files that may wait to be merged. */
  public static final int MAX_COMPACT_AT_FILES = 100;

  /** Checks the ranges. */
  public StoreOptions {
    check("records", records, 1, Integer.MAX_VALUE);
    check("fieldCount", fieldCount, 1, 1000);
    check("fieldLengthBytes", fieldLengthBytes, 1, 1 << 20);
    check("blockBytes", blockBytes, MIN_BLOCK_BYTES, MAX_BLOCK_BYTES);
    check("dramTierBytes", dramTierBytes, 0, Long.MAX_VALUE);
    check("memtableBytes", memtableBytes, 1, Long.MAX_VALUE);
    check("compactAtFiles", compactAtFiles, MIN_COMPACT_AT_FILES, MAX_COMPACT_AT_FILES);
  }

  /** The bytes of all values, without keys and whatever the store adds. */
  public long valueBytes() {
    return records * fieldCount * fieldLengthBytes;
  }

  private static void check(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be between " + min + " and " + max);
    }
  }

  /**
   * The settings of YCSB's CoreWorkload that agree with what was loaded: the same keys, the same
   * fields, and values that can be checked.
   */
  public Properties workloadProperties() {
    Properties properties = new Properties();
    properties.setProperty("recordcount", Long.toString(records));
    properties.setProperty("fieldcount", Integer.toString(fieldCount));
    properties.setProperty("fieldlength", Integer.toString(fieldLengthBytes));
    properties.setProperty("fieldlengthdistribution", "constant");
    properties.setProperty("insertorder", "hashed");
    properties.setProperty("zeropadding", "1");
    properties.setProperty("dataintegrity", "true");
    return properties;
  }
}
