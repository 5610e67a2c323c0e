// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSLockFactory;
import org.apache.lucene.tests.store.BaseDirectoryTestCase;
import org.apache.lucene.tests.util.QuickPatchThreadsFilter;

/** Lucene's own tests of directories, where each file lies in the remote store. */
@ThreadLeakFilters(
    defaultFilters = true,
    filters = {QuickPatchThreadsFilter.class, CacheThreads.class})
public final class RemoteDirectoryTest extends BaseDirectoryTestCase {
  @Override
  protected Directory getDirectory(Path path) throws IOException {
    return new UploadingDirectory.Full(path, FSLockFactory.getDefault());
  }
}
