// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.time.Duration;

/**
 * What the servers of a comparison have in common.
 *
 * @param dramBytes of HBase's DRAM cache
 * @param delay of each request to a store file
 * @param memoryBytes what a server may use more once it serves, or 0 without a limit
 * @param classPath of HBase as it was released, with NVCache's one jar
 */
public record ServerBase(long dramBytes, Duration delay, long memoryBytes, String classPath) {
  /**
   * Returns the same for a server that is not measured: it reads without delay, and without limit.
   */
  public ServerBase unhindered() {
    return new ServerBase(dramBytes, Duration.ZERO, 0, classPath);
  }
}
