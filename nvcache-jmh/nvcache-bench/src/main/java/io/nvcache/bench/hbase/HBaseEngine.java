// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

/** What is below HBase's DRAM cache. */
public enum HBaseEngine {
  /** Nothing: HBase's DRAM cache keeps data blocks as well. */
  NONE("none", ""),
  BUCKET_OFFHEAP("bucket-offheap", "offheap"),
  BUCKET_PMEM("bucket-pmem", "pmem"),
  BUCKET_MMAP("bucket-mmap", "mmap"),
  BUCKET_FILE("bucket-file", "file"),
  NVCACHE_NATIVE("nvcache-native", "native"),
  /** Each hit copied to the heap, instead of being read in place. */
  NVCACHE_NATIVE_COPY("nvcache-native-copy", "native"),
  NVCACHE_MAPPED("nvcache-mapped", "mapped"),
  NVCACHE_FLASH("nvcache-flash", "flash"),
  NVCACHE_LLPL("nvcache-llpl", "llpl");

  private final String label;
  private final String medium;

  HBaseEngine(String label, String medium) {
    this.label = label;
    this.medium = medium;
  }

  /** The name in records and on the command line. */
  public String label() {
    return label;
  }

  boolean isBucketCache() {
    return label.startsWith("bucket-");
  }

  boolean isNvCache() {
    return label.startsWith("nvcache-");
  }

  /** BucketCache's name of an I/O engine, or NVCache's of a medium. */
  String medium() {
    return medium;
  }

  /** The value of {@code hbase.nvcache.read.mode}. */
  String readMode() {
    return this == NVCACHE_NATIVE_COPY ? "copy" : "zero-copy";
  }

  /** Whether it keeps its blocks in a file. */
  boolean hasFile() {
    return !(this == NONE || medium.equals("offheap") || medium.equals("native"));
  }
}
