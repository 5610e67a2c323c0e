// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.BlockCache;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the files of a node share: the cache, once there is one, and the counts. Thread-safe.
 *
 * <p>A file that is closed is always forgotten by the cache, whether reads are served at that time
 * or not; so they can be switched off and on again.
 */
public final class Tier {
  private final Bypasses bypasses = new Bypasses();
  private final Incarnations incarnations = new Incarnations();
  private final Predicate<Thread> compacts;
  private volatile @Nullable BlockCache cache;
  private volatile @Nullable BlockCache serving;

  /**
   * Serves nothing yet.
   *
   * @param compacts which threads are those of compaction, validation and index builds
   */
  public Tier(Predicate<Thread> compacts) {
    this.compacts = compacts;
  }

  /** Whether what the calling thread reads is read once only. */
  boolean isCompacting() {
    return compacts.test(Thread.currentThread());
  }

  Bypasses bypasses() {
    return bypasses;
  }

  Incarnations incarnations() {
    return incarnations;
  }

  /** The cache, whether it serves or not; null while it is not built. */
  @Nullable BlockCache cache() {
    return cache;
  }

  /** The cache to read from; null if the files have to be read. */
  @Nullable BlockCache serving() {
    return serving;
  }

  /** Starts to serve; registers the files that were opened before the cache was built. */
  void start(BlockCache built) {
    cache = built;
    incarnations.forEach(file -> built.control().dataSet().register(file.id(), file.lengthBytes()));
    serving = built;
  }

  /** Leaves all reads to the files from now on. */
  void pause() {
    serving = null;
  }

  /** Serves again what is cached. */
  void resume() {
    serving = cache;
  }

  /** A handle on a file was opened. */
  Incarnations.Incarnation opened(Object fileKey, long lengthBytes) {
    return incarnations.open(fileKey, lengthBytes, this::register);
  }

  /** A handle on a file was closed; after the last one its blocks are gone. */
  void closed(Incarnations.Incarnation file) {
    incarnations.close(file, this::forget);
  }

  private void register(Incarnations.Incarnation file) {
    BlockCache built = cache;
    if (built != null) {
      built.control().dataSet().register(file.id(), file.lengthBytes());
    }
  }

  private void forget(long fileId) {
    BlockCache built = cache;
    if (built != null) {
      built.invalidateFile(fileId);
    }
  }
}
