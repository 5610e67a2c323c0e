// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.files;

import io.nvcache.FileIdentity;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The identities of files that the directories of a cache have opened: the blocks of one are one
 * file's at a time. Thread-safe.
 */
public final class FileIdentities {
  private static final Logger LOG = LoggerFactory.getLogger(FileIdentities.class);
  private static final int MOST_DISTRUSTED = 4096;

  private final Set<FileIdentity> taken = ConcurrentHashMap.newKeySet();

  /**
   * Identities by which blocks may be found that are of another file: of files that were forgotten,
   * and of those that another directory has made again. The last ones.
   */
  private final Map<FileIdentity, Boolean> distrusted =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) { // To put one again refreshes it.
            @Override
            protected boolean removeEldestEntry(Map.Entry<FileIdentity, Boolean> eldest) {
              return size() > MOST_DISTRUSTED;
            }
          });

  private final AtomicBoolean warned = new AtomicBoolean();

  /**
   * Takes the blocks of an identity for one file, or returns false: another directory over the same
   * folder has them, and would lose them.
   */
  boolean take(FileIdentity identity, String fileName) {
    boolean isFree = taken.add(identity);
    if (!isFree && !warned.getAndSet(true)) {
      LOG.warn(
          "{} is open in two directories; the blocks of the second are not found again after a"
              + " restart. Have one directory for an index, and close one that is not used any"
              + " more. This is logged once.",
          fileName);
    }
    return isFree;
  }

  void giveBack(FileIdentity identity) {
    taken.remove(identity);
  }

  /** Blocks of this identity may be of another file. */
  void distrust(FileIdentity identity) {
    distrusted.put(identity, true);
  }

  boolean isDistrusted(FileIdentity identity) {
    return distrusted.containsKey(identity);
  }

  /** Nothing is left of another file by this identity. */
  void trust(FileIdentity identity) {
    distrusted.remove(identity);
  }
}
