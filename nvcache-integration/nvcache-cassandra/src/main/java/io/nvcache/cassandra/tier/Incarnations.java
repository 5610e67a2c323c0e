// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.tier;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives each life of a data file an id that is never used again.
 *
 * <p>A file lives from its first open handle to the close of its last one. While a handle is open
 * the file system can't give its inode to another file, so handles on one inode that overlap share
 * the life; Cassandra has several when it opens a new SSTable first early and then for good. The
 * path does not count: Cassandra reuses the name of a dropped table's file within the same process.
 *
 * <p>Thread-safe; one lock, taken when files are opened and closed.
 */
public final class Incarnations {
  private final Map<Object, Incarnation> live = new HashMap<>();

  /** The ids of the lives that files will begin that are written now. */
  private final Map<Object, Long> expected = new HashMap<>();

  private long nextId = 1;

  /** One life of a file. */
  public static final class Incarnation {
    private final long id;
    private final Object fileKey;
    private final long lengthBytes;
    private volatile @Nullable NamedFile named;
    private int handles = 1;

    private Incarnation(long id, Object fileKey, long lengthBytes, @Nullable NamedFile named) {
      this.id = id;
      this.fileKey = fileKey;
      this.lengthBytes = lengthBytes;
      this.named = named;
    }

    /** Equal for open handles on the same file. */
    Object fileKey() {
      return fileKey;
    }

    /** Returns the id in the keys of the file's blocks. */
    public long id() {
      return id;
    }

    /** What the file is known by beyond this life; null if it is known by nothing. */
    @Nullable NamedFile named() {
      return named;
    }

    /** How long the file is. */
    public long lengthBytes() {
      return lengthBytes;
    }
  }

  /**
   * A handle on a file was opened. It names a life that was begun without a name: what Cassandra
   * opens early has no digest yet.
   *
   * @param fileKey equal for handles on the same file while one of them is open
   * @param named what it is known by beyond its life; null for nothing
   * @param whenNew called with a life that begins or gets its name, under the lock
   */
  synchronized Incarnation open(
      Object fileKey, long lengthBytes, @Nullable NamedFile named, Consumer<Incarnation> whenNew) {
    Incarnation known = live.get(fileKey);
    if (known != null && known.lengthBytes == lengthBytes) {
      known.handles++;
      if (known.named == null && named != null) {
        known.named = named;
        whenNew.accept(known);
      }
      return known;
    }
    Long id = expected.remove(fileKey);
    Incarnation fresh = new Incarnation(id == null ? nextId++ : id, fileKey, lengthBytes, named);
    live.put(fileKey, fresh);
    whenNew.accept(fresh);
    return fresh;
  }

  /**
   * A handle was closed.
   *
   * @param whenOver called with a life that ends, under the lock
   */
  synchronized void close(Incarnation incarnation, Consumer<Incarnation> whenOver) {
    incarnation.handles--;
    if (incarnation.handles == 0) {
      live.remove(incarnation.fileKey, incarnation);
      whenOver.accept(incarnation);
    }
  }

  /**
   * A file is being written, of which no handle was opened yet.
   *
   * @return the id of the life that it begins when one is opened, unless {@link #unexpect} comes
   *     before
   */
  public synchronized long expect(Object fileKey) {
    return expected.computeIfAbsent(fileKey, key -> nextId++);
  }

  /** A file will not be opened, or was: an id is used for one life at most. */
  public synchronized void unexpect(Object fileKey) {
    expected.remove(fileKey);
  }

  /** Returns whether a life continues. */
  public synchronized boolean isLive(Object fileKey, long id) {
    Incarnation known = live.get(fileKey);
    return known != null && known.id == id;
  }

  /** Reports all current lives, under the lock: none begins or ends during the call. */
  synchronized void forEach(Consumer<Incarnation> action) {
    List<Incarnation> all = new ArrayList<>(live.values());
    all.forEach(action);
  }

  /** How many files live. */
  public synchronized int size() {
    return live.size();
  }
}
