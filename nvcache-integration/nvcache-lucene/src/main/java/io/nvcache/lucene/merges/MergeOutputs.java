// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.merges;

import io.nvcache.lucene.files.CachedFile;
import io.nvcache.lucene.files.HotBlocks;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;

/**
 * The files that merges write now, by the threads that write them. A thread that has one open
 * merges: whatever scheduler runs it, and whichever of its threads. (Lucene merges with the inputs
 * that searches read by, so their context does not say it; and parts of a large merge run on
 * threads of an executor.)
 *
 * <p>Thread-safe. Costs a search one volatile read of a field that only merges write.
 */
public final class MergeOutputs {
  private final ThreadLocal<@Nullable List<MergeOutput>> mine = new ThreadLocal<>();
  private final AtomicInteger open = new AtomicInteger();

  /** Whether any thread merges. */
  private boolean isAnyOpen() {
    return open.get() > 0;
  }

  /**
   * Whether the calling thread merges. One of Lucene's own does so also before it writes and
   * between two files, where it reads all of what it merges for its checksums; and no more once it
   * has closed what describes the segment: then it warms that for searches.
   */
  public boolean isMerging() {
    if (!isAnyOpen() && !isMergeThread()) {
      return false;
    }
    List<MergeOutput> outputs = mine.get();
    return outputs == null ? isMergeThread() : !outputs.isEmpty();
  }

  /** Whether the calling thread is one of Lucene's that merge, also before it writes anything. */
  private static boolean isMergeThread() {
    return MergeThreads.include(Thread.currentThread());
  }

  /** Sees the class of Lucene's merge threads, which only its subclasses may name. */
  private abstract static class MergeThreads extends ConcurrentMergeScheduler {
    static boolean include(Thread thread) {
      return thread instanceof MergeThread;
    }
  }

  /**
   * Stands before an output that the calling thread is to write for a merge.
   *
   * @param onClose gets the hot blocks, if there are any, as soon as the file is complete
   */
  public IndexOutput watch(IndexOutput output, int blockBytes, Consumer<HotBlocks> onClose) {
    return new MergeOutput(output, blockBytes, this, onClose);
  }

  /** Adds a file that the calling thread writes; returns where to remove it, on any thread. */
  List<MergeOutput> add(MergeOutput output) {
    List<MergeOutput> outputs = mine.get();
    if (outputs == null) {
      outputs = new CopyOnWriteArrayList<>();
      mine.set(outputs);
    }
    outputs.add(output);
    open.incrementAndGet();
    return outputs;
  }

  /** Removes a file that is complete, or was given up. */
  void remove(MergeOutput output, List<MergeOutput> outputs) {
    if (outputs.remove(output)) {
      open.decrementAndGet();
      // Of a thread that runs one merge alone the empty list stays in the end: see isMerging.
      boolean ends = output.isLastOfSegment() && isMergeThread();
      if (outputs.isEmpty() && outputs == mine.get() && !ends) {
        mine.remove();
      }
    }
  }

  /**
   * Notes what the calling thread read, if it merges.
   *
   * @param fileClass of the file that was read
   * @param hotOf the files in whose place searches want the bytes, since blocks of them are cached;
   *     none if they were not
   */
  public void noteRead(String fileClass, int bytes, Set<CachedFile> hotOf) {
    List<MergeOutput> outputs = mine.get();
    if (outputs == null) {
      return;
    }
    for (int i = 0; i < outputs.size(); i++) {
      outputs.get(i).noteRead(fileClass, bytes, hotOf);
    }
  }
}
