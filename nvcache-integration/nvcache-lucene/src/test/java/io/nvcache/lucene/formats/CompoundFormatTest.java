// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.formats;

import com.carrotsearch.randomizedtesting.annotations.ThreadLeakFilters;
import io.nvcache.lucene.CacheThreads;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.tests.index.BaseCompoundFormatTestCase;
import org.apache.lucene.tests.util.QuickPatchThreadsFilter;
import org.apache.lucene.tests.util.TestUtil;

/** Lucene's own suite of this format, through the directory that {@code tests.directory} names. */
@ThreadLeakFilters(
    defaultFilters = true,
    filters = {QuickPatchThreadsFilter.class, CacheThreads.class})
public final class CompoundFormatTest extends BaseCompoundFormatTestCase {
  @Override
  protected Codec getCodec() {
    return TestUtil.getDefaultCodec();
  }
}
