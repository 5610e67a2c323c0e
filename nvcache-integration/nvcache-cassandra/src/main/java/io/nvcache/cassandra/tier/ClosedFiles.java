// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.tier;

import io.nvcache.BlockCache;
import io.nvcache.FileIdentity;
import io.nvcache.cassandra.tier.Incarnations.Incarnation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files that have a name beyond the process, and were closed: their blocks stay, because the
 * file may be opened again, as Cassandra does when it starts, or the next process finds them. When
 * the file is seen to be gone, its blocks go. Thread-safe.
 */
final class ClosedFiles {
  private final BlockCache cache;
  private final Map<FileIdentity, Closed> closed = new HashMap<>();

  /** A life that is over, and the file that it was one of. */
  private record Closed(Incarnation life, NamedFile file) {}

  ClosedFiles(BlockCache cache) {
    this.cache = cache;
  }

  /** The last handle on a file was closed. */
  synchronized void add(Incarnation life, NamedFile file) {
    Closed before = closed.put(file.identity(), new Closed(life, file));
    if (before != null) {
      cache.invalidateFile(before.life.id()); // Another path to the same bytes.
    }
  }

  /** A file begins a life: it is identified, and has the blocks of the one before. */
  synchronized void begin(Incarnation life, NamedFile file) {
    cache.identify(life.id(), file.identity());
    Closed before = closed.remove(file.identity());
    if (before != null) {
      cache.invalidateFile(before.life.id()); // Its blocks are the new life's.
    }
  }

  /** Has the blocks of files go that are not there any more. */
  void sweep() {
    for (Closed each : all()) {
      if (!each.file.isThere()) {
        forget(each);
      }
    }
  }

  /** Returns whether a life that is over may still have blocks. */
  synchronized boolean has(Incarnation life) {
    NamedFile file = life.named();
    Closed known = file == null ? null : closed.get(file.identity());
    return known != null && known.life == life;
  }

  private synchronized List<Closed> all() {
    return List.copyOf(closed.values());
  }

  private synchronized void forget(Closed gone) {
    if (closed.remove(gone.file.identity(), gone)) { // Else it was opened in the meantime.
      cache.invalidateFile(gone.life.id());
    }
  }
}
