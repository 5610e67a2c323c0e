// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.LockFactory;
import org.apache.lucene.store.NIOFSDirectory;

/**
 * A {@link NvCacheDirectory} over a folder of files, which are read by {@link NIOFSDirectory}.
 *
 * <p>With the constructors that take no cache, all directories of the process share one, that is
 * made on first use by system properties ({@link SharedCache}): so that this class can be named
 * wherever Lucene's tools and tests ask for the class of a directory.
 */
public class NvCacheFSDirectory extends NvCacheDirectory {
  /** Opens a folder with the cache of the process. */
  public NvCacheFSDirectory(Path folder, LockFactory locks) throws IOException {
    this(folder, locks, SharedCache.get());
  }

  /** Opens a folder with a cache. */
  public NvCacheFSDirectory(Path folder, LockFactory locks, LuceneCache cache) throws IOException {
    super(new NIOFSDirectory(folder, locks), cache);
  }
}
