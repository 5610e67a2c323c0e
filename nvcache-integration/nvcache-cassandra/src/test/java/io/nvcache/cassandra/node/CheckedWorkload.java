// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import java.util.HashMap;
import site.ycsb.ByteIterator;
import site.ycsb.workloads.CoreWorkload;

/** YCSB's workload, which compares what single reads return, and here the rows of scans as well. */
@SuppressWarnings("NonApiType") // YCSB asks for HashMap.
final class CheckedWorkload extends CoreWorkload {
  /** Compares a row with what was written, and counts it where YCSB counts those of its reads. */
  void check(String key, HashMap<String, ByteIterator> row) {
    verifyRow(key, row);
  }
}
