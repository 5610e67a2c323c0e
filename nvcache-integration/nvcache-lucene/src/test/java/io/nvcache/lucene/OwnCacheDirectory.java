// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.LockFactory;

/** A directory that closes its cache, and fails if something is pinned then. */
final class OwnCacheDirectory extends NvCacheFSDirectory {
  OwnCacheDirectory(Path folder, LockFactory locks, LuceneCache cache) throws IOException {
    super(folder, locks, cache);
  }

  @Override
  public void close() throws IOException {
    boolean first = !cache().isClosed();
    super.close();
    if (first) {
      TestCaches.close(cache());
    }
  }
}
