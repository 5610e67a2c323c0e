// SPDX-License-Identifier: Apache-2.0
package org.apache.hadoop.hbase.util;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Substitute for the one class of {@code hbase-common} that HBase 2.6.5 and later need for each key
 * of a block, and that no release on Maven Central has: keeps one copy of each name. HBase's own
 * forgets names that are not in use; a test has few.
 */
public final class FastStringPool {
  private final ConcurrentMap<String, String> names = new ConcurrentHashMap<>();

  /** Returns the copy of a name that is kept. */
  public String intern(String name) {
    String kept = names.putIfAbsent(name, name);
    return kept == null ? name : kept;
  }
}
