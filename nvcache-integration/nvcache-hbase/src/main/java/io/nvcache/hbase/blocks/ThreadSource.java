// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import io.nvcache.Source;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.jspecify.annotations.Nullable;

/**
 * What the current thread caches blocks for. HBase's {@code cacheBlock} does not say, so it is
 * noted by a scope that the code around it opened or else by the names HBase gives to its
 * background threads. Everything else is a {@link Source#READ}: gets and scans share the request
 * handlers.
 */
public final class ThreadSource implements AutoCloseable {
  private static final ThreadLocal<@Nullable ThreadSource> CURRENT = new ThreadLocal<>();

  private final Source source;

  /** The remote call in which the scope was opened: it does not outlive one that failed. */
  private final @Nullable RpcCall call;

  private final @Nullable ThreadSource previous;

  private ThreadSource(Source source, @Nullable RpcCall call, @Nullable ThreadSource previous) {
    this.source = source;
    this.call = call;
    this.previous = previous;
  }

  /**
   * Opens a scope: until it is closed, by the same thread, what this thread caches comes from
   * {@code source}. With {@link Source#READ} it reads blocks in place: no cell of a block may be
   * used after its release.
   */
  public static ThreadSource enter(Source source) {
    ThreadSource scope = new ThreadSource(source, call(), CURRENT.get());
    CURRENT.set(scope);
    return scope;
  }

  private static @Nullable RpcCall call() {
    return RpcServer.getCurrentCall().orElse(null);
  }

  /** Goes back to what the thread did before, unless it has gone back further already. */
  @Override
  public void close() {
    ThreadSource scope = CURRENT.get();
    while (scope != null && scope != this) {
      scope = scope.previous;
    }
    if (scope == null) {
      return; // Left open by what failed, within a scope that was closed since.
    }
    if (previous == null) {
      CURRENT.remove();
    } else {
      CURRENT.set(previous);
    }
  }

  /** The source of the blocks that the calling thread caches now. */
  public static Source current() {
    ThreadSource scope = CURRENT.get();
    return scope != null && scope.call == call()
        ? scope.source
        : ofName(Thread.currentThread().getName());
  }

  /**
   * Returns whether the calling thread reads for a get, by a scope that says so ({@link
   * Source#READ}), and which is within no other scope of its remote call: a get that failed within
   * a scan leaves its scope. Only then may it read blocks in place: a get uses no cell of a block
   * after it has released that.
   *
   * <p>Scanners do. HBase 2.6 and 3.0 release blocks at the end of each remote call, and keep of
   * them until the next call: the row before in a reversed scan ({@code StoreFileScanner}), the row
   * whose families on demand were not yet read ({@code RegionScannerImpl}), and the key of a seek
   * that was put off. So a scan would continue from a row of whatever block is in that memory by
   * that time.
   */
  static boolean isOfGet() {
    RpcCall call = call();
    ThreadSource first = CURRENT.get();
    for (ThreadSource scope = first; scope != null && scope.call == call; scope = scope.previous) {
      if (scope.source != Source.READ) {
        return false;
      }
    }
    return first != null && first.call == call;
  }

  /** The names are from CompactSplit, MemStoreFlusher and PrefetchExecutor of HBase 2.6. */
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
