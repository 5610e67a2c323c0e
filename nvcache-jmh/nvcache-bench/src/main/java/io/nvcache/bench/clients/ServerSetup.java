// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.clients;

import java.util.Map;

/**
 * How a server is set up.
 *
 * @param label of its second level, for messages
 * @param keys of its {@code hbase-site.xml}, besides those that each server needs
 * @param base what it has in common with others
 */
public record ServerSetup(String label, Map<String, String> keys, ServerBase base) {
  /** Makes a setup with a copy of the keys. */
  public ServerSetup {
    keys = Map.copyOf(keys);
  }

  boolean isNvCache() {
    return keys.containsKey("hbase.nvcache.capacity.bytes");
  }
}
