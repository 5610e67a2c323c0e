// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import java.io.IOException;
import java.util.Random;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Files of a rule that keeps their blocks, while others flood the cache. */
final class ImportantFilesTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int CAPACITY_BYTES = 4 << 20;
  private static final int INDEX_BYTES = 40 * BLOCK_BYTES;
  private static final int DATA_BYTES = 4 * CAPACITY_BYTES;

  private final BlockCache blocks = TestCaches.blocks(BLOCK_BYTES, CAPACITY_BYTES).build();
  private final LuceneCache cache =
      LuceneCache.builder(blocks)
          .blockBytes(BLOCK_BYTES)
          .rule("tip", CacheRule.IMPORTANT)
          .rule("tim", CacheRule.ONCE)
          .build();
  private final NvCacheDirectory directory =
      new NvCacheDirectory(new ByteBuffersDirectory(), cache);

  @AfterEach
  void close() throws IOException {
    directory.close();
    TestCaches.close(cache);
  }

  private void write(String name, int length) throws IOException {
    byte[] bytes = new byte[length];
    new Random(3).nextBytes(bytes);
    try (IndexOutput out = directory.createOutput(name, IOContext.DEFAULT)) {
      out.writeBytes(bytes, bytes.length);
    }
  }

  private static void readAll(IndexInput input) throws IOException {
    input.seek(0);
    input.readBytes(new byte[(int) input.length()], 0, (int) input.length());
  }

  private void flood() throws IOException {
    write("_0.fdt", DATA_BYTES);
    try (IndexInput data = directory.openInput("_0.fdt", IOContext.DEFAULT)) {
      readAll(data);
      readAll(data);
    }
    assertThat(blocks.stats().evictions()).isPositive();
  }

  private long missesOf(IndexInput input, String extension) throws IOException {
    long before = cache.countsByExtension().get(extension).misses();
    readAll(input);
    return cache.countsByExtension().get(extension).misses() - before;
  }

  @Test
  void shouldKeepTheBlocksOfAnImportantFile() throws IOException {
    write("_0.tip", INDEX_BYTES);
    write("_0.doc", INDEX_BYTES);
    try (IndexInput index = directory.openInput("_0.tip", IOContext.DEFAULT);
        IndexInput other = directory.openInput("_0.doc", IOContext.DEFAULT)) {
      readAll(index);
      readAll(other);
      assertThat(blocks.stats().importantBytes()).isGreaterThanOrEqualTo(INDEX_BYTES);

      flood();

      assertThat(missesOf(index, "tip")).isZero();
      assertThat(missesOf(other, "doc")).isPositive();
    }
  }

  @Test
  void shouldKeepThoseOfAnImportantPartOfACompoundFile() throws IOException {
    write("_0.cfs", 3 * INDEX_BYTES);
    try (IndexInput whole = directory.openInput("_0.cfs", IOContext.DEFAULT)) {
      IndexInput index = whole.slice("_0.tip", INDEX_BYTES, INDEX_BYTES, IOContext.DEFAULT);
      IndexInput once = whole.slice("_0.tim", 0, INDEX_BYTES, IOContext.DEFAULT);
      IndexInput other = whole.slice("_0.doc", 2 * INDEX_BYTES, INDEX_BYTES, IOContext.DEFAULT);
      readAll(index);
      readAll(once);
      readAll(other);
      assertThat(blocks.stats().importantBytes())
          .isBetween((long) INDEX_BYTES, INDEX_BYTES + 2L * BLOCK_BYTES);

      flood();

      assertThat(missesOf(index, "tip")).isZero();
      assertThat(missesOf(other, "doc")).isPositive();
      assertThat(cache.countsByExtension().get("tim").onceMisses()).isPositive();
    }
  }
}
