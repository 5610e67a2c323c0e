// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.LockFactory;

/** For {@code -Dtests.directory}: all directories of a suite share a cache, as those of a node. */
public abstract class OneCacheDirectory extends NvCacheFSDirectory {
  OneCacheDirectory(Path folder, LockFactory locks, LuceneCache cache) throws IOException {
    super(folder, locks, cache);
  }

  /** With room for every block, none of which is there when a file is written. */
  public static final class Empty extends OneCacheDirectory {
    private static final LuceneCache CACHE =
        TestCaches.empty(LuceneCacheBuilder.DEFAULT_BLOCK_BYTES);

    public Empty(Path folder, LockFactory locks) throws IOException {
      super(folder, locks, CACHE);
    }
  }

  /** With short blocks, each of which takes another one's place. */
  public static final class Full extends OneCacheDirectory {
    private static final int SHORT_BLOCK_BYTES = 1 << 10;
    private static final LuceneCache CACHE = TestCaches.full(SHORT_BLOCK_BYTES);

    public Full(Path folder, LockFactory locks) throws IOException {
      super(folder, locks, CACHE);
    }
  }
}
