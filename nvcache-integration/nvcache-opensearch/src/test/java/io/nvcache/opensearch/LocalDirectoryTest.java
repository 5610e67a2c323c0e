// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;
import org.apache.lucene.tests.util.QuickPatchThreadsFilter;

/** Lucene's own tests of directories, where no file is uploaded. */
@ThreadLeakFilters(
    defaultFilters = true,
    filters = {QuickPatchThreadsFilter.class, CacheThreads.class})
public final class LocalDirectoryTest extends BaseDirectoryTestCase {
  private static final NodeCache CACHE = UploadingDirectory.cache(1 << 10, 256 << 10);

  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return CACHE.directory(
        FSDirectory.open(path.resolve("local")),
        new RemoteFolder(path.resolve("remote")).directory,
        null);
  }
}
