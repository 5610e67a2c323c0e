// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

/** What is restarted. */
public enum RestartEngine {
  /** NVCache in regions on flash. */
  NVCACHE("nvcache"),
  /** HBase's BucketCache in a file, with its persistent map. */
  BUCKET_FILE("bucket-file");

  private final String label;

  RestartEngine(String label) {
    this.label = label;
  }

  /** Returns the name in records and on the command line. */
  public String label() {
    return label;
  }
}
