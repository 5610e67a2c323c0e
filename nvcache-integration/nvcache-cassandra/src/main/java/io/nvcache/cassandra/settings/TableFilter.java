// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.settings;

import java.nio.file.Path;
import java.util.Set;

/**
 * Selects the data files to cache by their path: {@code …/keyspace/table-id/…-Data.db}, and one
 * folder deeper, in one whose name starts with a dot, for secondary indexes.
 *
 * @param include keyspaces and {@code keyspace.table}s to cache; empty for all
 * @param exclude those not to cache, even if included
 */
public record TableFilter(Set<String> include, Set<String> exclude) {
  /** Cassandra's own keyspaces: small, and read while the node starts. */
  public static final Set<String> CASSANDRAS_OWN =
      Set.of("system", "system_schema", "system_auth", "system_distributed", "system_traces");

  /** Whether to cache this file; never if it does not lie where Cassandra keeps its tables. */
  public boolean matches(String dataFile) {
    Path table = Path.of(dataFile).getParent();
    if (table != null && name(table).startsWith(".")) {
      table = table.getParent();
    }
    Path keyspace = table == null ? null : table.getParent();
    if (table == null || keyspace == null || name(keyspace).isEmpty()) {
      return false;
    }
    int id = name(table).lastIndexOf('-');
    if (id <= 0) {
      return false;
    }
    String tableName = name(keyspace) + "." + name(table).substring(0, id);
    boolean included =
        include.isEmpty() || include.contains(name(keyspace)) || include.contains(tableName);
    return included && !exclude.contains(name(keyspace)) && !exclude.contains(tableName);
  }

  private static String name(Path folder) {
    Path last = folder.getFileName();
    return last == null ? "" : last.toString();
  }
}
