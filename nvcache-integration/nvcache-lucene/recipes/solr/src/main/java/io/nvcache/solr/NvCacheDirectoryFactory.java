// SPDX-License-Identifier: Apache-2.0
package io.nvcache.solr;

import io.nvcache.lucene.NvCacheFSDirectory;
import io.nvcache.lucene.SharedCache;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.LockFactory;
import org.apache.solr.core.StandardDirectoryFactory;

/** Opens the index folders of all cores with the cache of the process. */
public final class NvCacheDirectoryFactory extends StandardDirectoryFactory {
  @Override
  protected Directory create(String path, LockFactory locks) throws IOException {
    return new NvCacheFSDirectory(Path.of(path), locks, SharedCache.get());
  }
}
