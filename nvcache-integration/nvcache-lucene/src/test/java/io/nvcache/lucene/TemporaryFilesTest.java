// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

/** The files that Lucene writes for itself, and deletes as a flush or a merge ends. */
final class TemporaryFilesTest {
  private static final int BLOCK_BYTES = 4096;
  private static final int FLUSHES = 3;

  @Test
  void shouldKeepTheFilesOfASortedFlushFromTheCache_InOneClass() throws IOException {
    LuceneCache cache = TestCaches.empty(BLOCK_BYTES);
    IndexWriterConfig sorted =
        new IndexWriterConfig()
            .setMergePolicy(NoMergePolicy.INSTANCE)
            .setIndexSort(new Sort(new SortField("number", SortField.Type.LONG)));
    try (NvCacheDirectory directory = new NvCacheDirectory(new ByteBuffersDirectory(), cache)) {
      try (IndexWriter writer = new IndexWriter(directory, sorted)) {
        for (int flush = 0; flush < FLUSHES; flush++) {
          for (int i = 0; i < 1_000; i++) {
            Document document = new Document();
            document.add(new NumericDocValuesField("number", -i));
            document.add(new StoredField("text", "stored " + i));
            writer.addDocument(document);
          }
          writer.flush();
        }
      }
      assertThat(cache.countsByExtension().keySet()).contains("tmp").noneMatch(this::isNumbered);
      FileClassCounts temporary = cache.countsByExtension().get("tmp");
      assertThat(temporary.bypassedOpens()).isGreaterThanOrEqualTo(FLUSHES);
      assertThat(temporary.hits() + temporary.misses()).isZero();
    } finally {
      TestCaches.close(cache);
    }
  }

  private boolean isNumbered(String extension) {
    return extension.indexOf('_') >= 0;
  }
}
