// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.time.Duration;
import java.util.Map;

/**
 * How a server is set up.
 *
 * @param label of its second level, for messages
 * @param keys of its {@code hbase-site.xml}, besides those that each server needs
 * @param dramBytes of HBase's DRAM cache
 * @param delay of each request to a store file
 * @param memoryBytes what the server may use more once it serves, or 0 without a limit
 * @param classPath of HBase as it was released, with NVCache's one jar
 */
public record ServerSetup(
    String label,
    Map<String, String> keys,
    long dramBytes,
    Duration delay,
    long memoryBytes,
    String classPath) {
  /** Makes a setup with a copy of the keys. */
  public ServerSetup {
    keys = Map.copyOf(keys);
  }

  boolean isNvCache() {
    return keys.containsKey("hbase.nvcache.capacity.bytes");
  }
}
