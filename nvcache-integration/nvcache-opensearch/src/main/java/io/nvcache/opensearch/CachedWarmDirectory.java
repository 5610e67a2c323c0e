// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import io.nvcache.lucene.DescribedInput;
import io.nvcache.lucene.LuceneCache;
import io.nvcache.lucene.NvCacheDirectory;
import java.io.IOException;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.ReadOnceHint;
import org.opensearch.index.store.RemoteSyncListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a shard of a warm index, read through the node's cache. A remote file begins to load
 * where Lucene looks first, its header and its footer, when it is opened.
 */
final class CachedWarmDirectory extends NvCacheDirectory implements RemoteSyncListener {
  private static final Logger LOG = LoggerFactory.getLogger(CachedWarmDirectory.class);

  private final WarmDirectory files;
  private final NodeCache node;

  CachedWarmDirectory(WarmDirectory files, LuceneCache cache, NodeCache node) {
    super(files, cache);
    this.files = files;
    this.node = node;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    if (!files.isRemote(name) || context.context() == IOContext.Context.MERGE) {
      return super.openInput(name, context);
    }
    long blockBytes = cache().blockBytes();
    // All of such a file is loaded, and kept.
    boolean small = files.fileLength(name) <= DescribedInput.SMALL_BLOCKS * blockBytes;
    boolean once = context.hints().contains(ReadOnceHint.INSTANCE);
    // Lucene reads its metadata once, but the next opening of the shard does again.
    IndexInput input = super.openInput(name, small && once ? IOContext.DEFAULT : context);
    try {
      long length = input.length();
      if (small && length > 0) {
        input.prefetch(0, length);
      } else if (!small && !once) {
        input.prefetch(0, blockBytes);
        input.prefetch(length - blockBytes, blockBytes);
      }
      return input;
    } catch (Throwable failure) {
      try (input) {
        throw failure;
      }
    }
  }

  /** Gives the space of an uploaded file back; what is cached of it stays. */
  @Override
  public void afterSyncToRemote(String name) {
    try {
      identify(
          name,
          () -> {
            RemoteFile object = files.release(name);
            return object == null ? null : object.identity();
          });
    } catch (IOException | RuntimeException e) { // The upload itself went well.
      LOG.warn("Could not let go of {}, which was uploaded; it stays here", name, e);
    }
  }

  /** Returns the bytes of files that wait for their upload. */
  long localBytes() throws IOException {
    return files.localBytes();
  }

  /**
   * Has the blocks of a shard go as its directory is closed, because its index is deleted.
   *
   * @param directory as a shard has it: one of these is in it, or not
   */
  static void deleteWithIndex(Directory directory) {
    Directory inner = directory;
    while (inner instanceof FilterDirectory outer) {
      if (outer instanceof CachedWarmDirectory mine) {
        mine.deleted();
        return;
      }
      inner = outer.getDelegate();
    }
  }

  @Override
  public void close() throws IOException {
    node.forget(this);
    super.close();
  }
}
