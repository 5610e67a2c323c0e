// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import com.carrotsearch.randomizedtesting.ThreadFilter;

/** The cache's threads, which outlive the suites that happen to start them. */
public final class CacheThreads implements ThreadFilter {
  @Override
  public boolean reject(Thread thread) {
    String name = thread.getName();
    return name.startsWith("nvcache-")
        || name.startsWith("Cleaner-")
        || name.contains("resource~releaser"); // Of Chronicle.
  }
}
