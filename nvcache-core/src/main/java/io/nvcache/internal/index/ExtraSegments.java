// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The further segments of the few files longer than one, so that all of a file is found to be
 * dropped. Used under the lock of the {@link FileTable}.
 */
class ExtraSegments {
  private final Map<Long, Set<Integer>> byFile = new HashMap<>();

  void add(long fileId, int segment) {
    if (segment != 0) {
      byFile.computeIfAbsent(fileId, first -> new HashSet<>()).add(segment);
    }
  }

  void remove(long fileId, int segment) {
    Set<Integer> segments = byFile.get(fileId);
    if (segments != null) {
      segments.remove(segment);
      if (segments.isEmpty()) {
        byFile.remove(fileId);
      }
    }
  }

  void remove(long fileId) {
    byFile.remove(fileId);
  }

  Set<Integer> of(long fileId) {
    return byFile.getOrDefault(fileId, Set.of());
  }
}
