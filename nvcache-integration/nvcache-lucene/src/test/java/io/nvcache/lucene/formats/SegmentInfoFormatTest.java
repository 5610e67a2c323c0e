// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.formats;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import io.nvcache.lucene.CacheThreads;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseSegmentInfoFormatTestCase;
import org.apache.lucene.tests.util.QuickPatchThreadsFilter;
import org.apache.lucene.tests.util.TestUtil;
import org.apache.lucene.util.Version;

/** Lucene's own suite of this format, through the directory that {@code tests.directory} names. */
@ThreadLeakFilters(
    defaultFilters = true,
    filters = {QuickPatchThreadsFilter.class, CacheThreads.class})
public final class SegmentInfoFormatTest extends BaseSegmentInfoFormatTestCase {
  @Override
  protected Codec getCodec() {
    return TestUtil.getDefaultCodec();
  }

  @Override
  protected Version[] getVersions() {
    return new Version[] {Version.LATEST};
  }
}
