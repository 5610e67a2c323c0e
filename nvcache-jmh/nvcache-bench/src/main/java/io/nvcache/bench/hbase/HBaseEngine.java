// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.hbase;

import io.nvcache.report.Labelled;

/** What is below HBase's DRAM cache. */
public enum HBaseEngine implements Labelled {
  /** Nothing: HBase's DRAM cache keeps data blocks as well. */
  NONE(""),
  BUCKET_OFFHEAP("offheap"),
  BUCKET_PMEM("pmem"),
  BUCKET_MMAP("mmap"),
  BUCKET_FILE("file"),
  NVCACHE_NATIVE("native"),
  /** Each hit copied to the heap, instead of being read in place. */
  NVCACHE_NATIVE_COPY("native"),
  NVCACHE_MAPPED("mapped"),
  NVCACHE_FLASH("flash"),
  NVCACHE_LLPL("llpl");

  private final String medium;

  HBaseEngine(String medium) {
    this.medium = medium;
  }

  boolean isBucketCache() {
    return label().startsWith("bucket-");
  }

  boolean isNvCache() {
    return label().startsWith("nvcache-");
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
