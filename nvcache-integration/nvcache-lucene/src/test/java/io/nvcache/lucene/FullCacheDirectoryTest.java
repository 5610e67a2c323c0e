// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.tests.store.BaseChunkedDirectoryTestCase;
import org.apache.lucene.tests.util.QuickPatchThreadsFilter;

/** Lucene's own tests of directories, with a full cache and blocks of all lengths. */
@ThreadLeakFilters(
    defaultFilters = true,
    filters = {QuickPatchThreadsFilter.class, CacheThreads.class})
public final class FullCacheDirectoryTest extends BaseChunkedDirectoryTestCase {
  @Override
  protected Directory getDirectory(Path path, int maxChunkSize) throws IOException {
    return new OwnCacheDirectory(path, FSLockFactory.getDefault(), TestCaches.full(maxChunkSize));
  }
}
