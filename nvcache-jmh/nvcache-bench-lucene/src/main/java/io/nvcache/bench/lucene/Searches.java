// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.StoredFields;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;

/**
 * Searches of several threads over one reader: the ten best by score, or for each fourth by a
 * number, and their stored fields.
 */
final class Searches implements AutoCloseable {
  private static final int TOP = 10;
  private static final int SORTED_ONE_OF = 4;
  private static final Sort BY_NUMBER = new Sort(new SortField("number", SortField.Type.INT));

  private final Corpus corpus;
  private final int threads;
  private final long seed;
  private final StopSignal stop;
  private DirectoryReader reader;
  private IndexSearcher searcher;
  private long rounds;

  /** Takes a reader over, and closes it. */
  Searches(Corpus corpus, DirectoryReader reader, LuceneBenchSettings settings, StopSignal stop) {
    this.corpus = corpus;
    this.threads = settings.threads();
    this.seed = settings.seed();
    this.stop = stop;
    this.reader = reader;
    this.searcher = searcher(reader);
  }

  private static IndexSearcher searcher(DirectoryReader reader) {
    IndexSearcher searcher = new IndexSearcher(reader);
    searcher.setQueryCache(null);
    return searcher;
  }

  /** Goes on with what the index is now. */
  void refresh() throws IOException {
    DirectoryReader fresh = DirectoryReader.openIfChanged(reader);
    if (fresh == null) {
      throw new IllegalStateException("the index is what it was");
    }
    reader.close();
    reader = fresh;
    searcher = searcher(fresh);
  }

  /** Searches for a while, and returns the searches a second. */
  double run(Duration time) {
    long round = rounds++;
    long begun = System.nanoTime();
    AtomicLong done = new AtomicLong();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Thread[] workers = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      Random random = new Random(seed * 31 + round * 1009 + i);
      workers[i] =
          new Thread(
              () -> {
                try {
                  while (System.nanoTime() - begun < time.toNanos() && !stop.isRequested()) {
                    search(random);
                    done.incrementAndGet();
                  }
                } catch (IOException | RuntimeException | Error e) {
                  failure.compareAndSet(null, e);
                }
              },
              "bench-search-" + i);
      workers[i].start();
    }
    for (Thread worker : workers) {
      join(worker);
    }
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException("a search failed: " + thrown, thrown);
    }
    return done.get() / ((System.nanoTime() - begun) / 1e9);
  }

  private static void join(Thread worker) {
    boolean interrupted = false;
    while (worker.isAlive()) {
      try {
        worker.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** What the first searches find, as a number: the same for every engine that reads rightly. */
  long fingerprint(int searches) {
    Random random = new Random(seed);
    long sum = 0;
    try {
      for (int i = 0; i < searches; i++) {
        sum = sum * 31 + search(random);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sum;
  }

  private long search(Random random) throws IOException {
    Query query = corpus.query(random);
    TopDocs found =
        random.nextInt(SORTED_ONE_OF) == 0
            ? searcher.search(query, TOP, BY_NUMBER)
            : searcher.search(query, TOP);
    StoredFields stored = searcher.storedFields();
    for (ScoreDoc hit : found.scoreDocs) { // As Lucene wants it of who fetches several.
      stored.prefetch(hit.doc);
    }
    long sum = found.totalHits.value();
    for (ScoreDoc hit : found.scoreDocs) {
      byte[] bytes = stored.document(hit.doc).getBinaryValue("stored").bytes;
      sum = sum * 31 + Arrays.hashCode(bytes) + hit.doc;
    }
    return sum;
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
