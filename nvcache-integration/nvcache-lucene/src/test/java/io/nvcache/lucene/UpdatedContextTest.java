// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.Source;
import java.io.IOException;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.FileDataHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;

/** A merge updates the context of the input of vectors that searches slice. */
final class UpdatedContextTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 4;
  private static final IOContext VECTORS =
      IOContext.DEFAULT.withHints(FileDataHint.KNN_VECTORS, DataAccessHint.RANDOM);

  /** As the vectors' reader does as a merge begins. */
  private static final IOContext MERGED = VECTORS.withHints(DataAccessHint.SEQUENTIAL);

  /** Returns what the class of the file counts after a search has read by a slice. */
  private static FileClassCounts search(LuceneCache cache) throws IOException {
    try (NvCacheDirectory directory = new NvCacheDirectory(new ByteBuffersDirectory(), cache)) {
      try (IndexOutput out = directory.createOutput("_0.vec", IOContext.DEFAULT)) {
        out.writeBytes(new byte[BLOCKS * BLOCK_BYTES], BLOCKS * BLOCK_BYTES);
      }
      try (IndexInput vectors = directory.openInput("_0.vec", VECTORS)) {
        vectors.updateIOContext(MERGED);
        IndexInput slice = vectors.slice("search", 0, vectors.length());
        slice.readBytes(new byte[BLOCKS * BLOCK_BYTES], 0, BLOCKS * BLOCK_BYTES);
      }
    }
    return cache.countsByExtension().get("vec");
  }

  @Test
  void shouldGoOnToObeyTheHintsOfTheOpening() throws IOException {
    LuceneCache cache =
        LuceneCache.builder(TestCaches.blocks(BLOCK_BYTES, 8 << 20).build())
            .blockBytes(BLOCK_BYTES)
            .rule(FileDataHint.KNN_VECTORS, CacheRule.ONCE)
            .build();

    assertThat(search(cache).onceMisses()).isEqualTo(BLOCKS);
    TestCaches.close(cache);
  }

  @Test
  void shouldGoOnToOfferWhatSearchesReadAsTheirs() throws IOException {
    LuceneCache cache = TestCaches.empty(BLOCK_BYTES);

    assertThat(search(cache).misses()).isEqualTo(BLOCKS);
    assertThat(cache.blocks().stats().offers(Source.READ)).isEqualTo(BLOCKS);
    TestCaches.close(cache);
  }
}
