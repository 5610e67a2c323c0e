// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.regionserver.StoreFile;

/**
 * The exchange of files that ends a compaction.
 *
 * @param inputs names of the files that are compacted
 * @param outputs names of those that take their place
 */
public record StoreSwap(Set<String> inputs, Set<String> outputs) {
  /** Returns whether a store that serves these files has made the exchange. */
  public boolean isIn(Collection<? extends StoreFile> served) {
    Set<String> names = namesOf(served);
    return names.containsAll(outputs) && Collections.disjoint(names, inputs);
  }

  /** Returns the names of files. */
  public static Set<String> namesOf(Collection<? extends StoreFile> files) {
    return files.stream().map(file -> file.getPath().getName()).collect(Collectors.toSet());
  }
}
