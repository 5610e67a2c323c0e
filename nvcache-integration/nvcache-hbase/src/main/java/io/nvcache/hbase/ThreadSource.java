// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.Source;
import org.jspecify.annotations.Nullable;

/**
 * What the current thread caches blocks for. HBase's {@code cacheBlock} does not say, so it is told
 * by a scope that the code around it opened or else by the names HBase gives to its background
 * threads. Everything else is a {@link Source#READ}: gets and scans share the request handlers.
 */
public final class ThreadSource implements AutoCloseable {
  private static final ThreadLocal<@Nullable Source> CURRENT = new ThreadLocal<>();

  private final @Nullable Source previous;

  private ThreadSource(@Nullable Source previous) {
    this.previous = previous;
  }

  /**
   * Opens a scope: until it is closed, by the same thread, what this thread caches comes from
   * {@code source}.
   */
  public static ThreadSource enter(Source source) {
    ThreadSource scope = new ThreadSource(CURRENT.get());
    CURRENT.set(source);
    return scope;
  }

  /** Goes back to what the thread did before. */
  @Override
  public void close() {
    if (previous == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(previous);
    }
  }

  /** The source of the blocks that the calling thread caches now. */
  static Source current() {
    Source source = CURRENT.get();
    return source != null ? source : ofName(Thread.currentThread().getName());
  }

  /** The names are those of CompactSplit, MemStoreFlusher and PrefetchExecutor of HBase 2.6. */
  private static Source ofName(String threadName) {
    if (threadName.contains("-shortCompactions-") || threadName.contains("-longCompactions-")) {
      return Source.COMPACTION;
    }
    if (threadName.startsWith("MemStoreFlusher.")) {
      return Source.FLUSH;
    }
    return threadName.startsWith("hfile-prefetch-") ? Source.PREFETCH : Source.READ;
  }
}
