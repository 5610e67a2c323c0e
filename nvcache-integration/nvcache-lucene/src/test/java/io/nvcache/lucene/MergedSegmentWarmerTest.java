// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.junit.jupiter.api.Test;

/** Lucene has the thread that merged a segment warm it, once its files are written. */
final class MergedSegmentWarmerTest {
  private static final int BLOCK_BYTES = 4096;

  private final LuceneCache cache = TestCaches.empty(BLOCK_BYTES);
  private final AtomicLong warmed = new AtomicLong();

  private long offered() {
    return cache.countsByExtension().values().stream()
        .mapToLong(counts -> counts.misses() - counts.onceMisses())
        .sum();
  }

  private void warm(LeafReader reader) throws IOException {
    long before = offered();
    for (int i = 0; i < reader.maxDoc(); i++) {
      assertThat(reader.storedFields().document(i).getFields()).hasSize(1);
    }
    warmed.addAndGet(offered() - before);
  }

  @Test
  void shouldOfferWhatAMergedSegmentWarmerReads() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setMergeScheduler(new ConcurrentMergeScheduler())
            .setMergedSegmentWarmer(this::warm);
    try (NvCacheDirectory directory = new NvCacheDirectory(new ByteBuffersDirectory(), cache)) {
      try (IndexWriter writer = new IndexWriter(directory, config);
          DirectoryReader pooled = DirectoryReader.open(writer)) { // Or no segment is warmed.
        for (int i = 0; i < 2_000; i++) {
          Document document = new Document();
          document.add(new StoredField("text", "stored " + i * 0x9E3779B97F4A7C15L));
          writer.addDocument(document);
          if (i % 500 == 499) {
            writer.flush();
          }
        }
        writer.forceMerge(1);
        assertThat(pooled.numDocs()).isZero();
      }
    } finally {
      TestCaches.close(cache);
    }
    assertThat(warmed).as("blocks that the warmer read and offered").hasPositiveValue();
  }

  /** It checks all vectors of its inputs before it opens the first file of its own for them. */
  @Test
  void shouldOfferNothingOfWhatAMergeChecksBetweenItsFiles() throws IOException {
    IndexWriterConfig config =
        new IndexWriterConfig()
            .setUseCompoundFile(false)
            .setMergeScheduler(new ConcurrentMergeScheduler());
    config.getMergePolicy().setNoCFSRatio(0);
    try (NvCacheDirectory directory = new NvCacheDirectory(new ByteBuffersDirectory(), cache)) {
      try (IndexWriter writer = new IndexWriter(directory, config)) {
        float[] vector = new float[64];
        for (int i = 0; i < 2_000; i++) {
          Document document = new Document();
          document.add(new StoredField("text", "stored " + i * 0x9E3779B97F4A7C15L));
          vector[i % 64] = i;
          document.add(new KnnFloatVectorField("vector", vector.clone()));
          writer.addDocument(document);
        }
        // Pooled, and opened to be searched.
        try (DirectoryReader searched = DirectoryReader.open(writer)) {
          assertThat(searched.numDocs()).isEqualTo(2_000);
          writer.addDocument(new Document());
          writer.forceMerge(1);
        }
      }
      FileClassCounts vectors = cache.countsByExtension().get("vec");
      assertThat(vectors.onceMisses()).isGreaterThan(200);
      // Headers and footers, as files are opened to be searched.
      assertThat(vectors.misses() - vectors.onceMisses()).as("offered").isLessThan(10);
    } finally {
      TestCaches.close(cache);
    }
  }
}
