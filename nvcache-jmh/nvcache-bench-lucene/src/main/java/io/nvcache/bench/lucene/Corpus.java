// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.progress.Progress;
import io.nvcache.trace.Zipfian;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FilterMergePolicy;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.SegmentCommitInfo;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;
import org.jspecify.annotations.Nullable;

/**
 * A made-up index: documents of {@value #TERMS} terms, drawn from a vocabulary by Zipf's law with
 * exponent 0.99, a number, and {@value #STORED_BYTES} stored bytes that can't be compressed.
 */
final class Corpus {
  private static final int VOCABULARY = 200_000;
  private static final int TERMS = 60;
  private static final int STORED_BYTES = 1 << 10;
  private static final int SEGMENTS = 8;
  private static final int QUERIES = 5_000;

  /** Of the commonest terms none is asked for: they are the stop words. */
  private static final int STOP_WORDS = 50;

  private static final Analyzer ANALYZER = new StandardAnalyzer();
  private static final Zipfian TERM_RANKS = new Zipfian(VOCABULARY);
  private static final Zipfian QUERY_RANKS = new Zipfian(QUERIES);

  private final Path folder;
  private final long seed;

  private Corpus(Path folder, long seed) {
    this.folder = folder;
    this.seed = seed;
  }

  /**
   * Takes the index that is in a folder, or writes it if none is there.
   *
   * @throws IllegalArgumentException if it was written with other arguments
   */
  static Corpus in(Path folder, int documents, long seed, Progress progress) throws IOException {
    Map<String, String> wanted = origin(documents, seed);
    try (Directory directory = new NIOFSDirectory(folder)) {
      if (!DirectoryReader.indexExists(directory)) {
        return write(folder, documents, seed, progress);
      }
      Map<String, String> found = SegmentInfos.readLatestCommit(directory).getUserData();
      if (!found.equals(wanted)) {
        throw new IllegalArgumentException(
            "the index in " + folder + " was written with " + found + ", not with " + wanted);
      }
    }
    return new Corpus(folder, seed);
  }

  private static Map<String, String> origin(int documents, long seed) {
    return Map.of("documents", Integer.toString(documents), "seed", Long.toString(seed));
  }

  private static Corpus write(Path folder, int documents, long seed, Progress progress)
      throws IOException {
    Random random = new Random(seed);
    try (Progress.Phase phase = progress.begin("index", documents);
        Directory directory = new NIOFSDirectory(folder);
        IndexWriter writer =
            new IndexWriter(
                directory,
                new IndexWriterConfig(ANALYZER)
                    .setMergePolicy(NoMergePolicy.INSTANCE)
                    .setUseCompoundFile(false))) {
      for (int i = 0; i < documents; i++) {
        writer.addDocument(document(random));
        if (i % Math.max(1, documents / SEGMENTS) == documents / SEGMENTS - 1) {
          writer.commit();
          phase.at(i + 1, "documents");
        }
      }
      writer.setLiveCommitData(origin(documents, seed).entrySet());
      writer.commit();
    }
    return new Corpus(folder, seed);
  }

  private static Document document(Random random) {
    StringBuilder text = new StringBuilder(TERMS * 8);
    for (int i = 0; i < TERMS; i++) {
      text.append(term(TERM_RANKS.rank(random.nextDouble()))).append(' ');
    }
    byte[] stored = new byte[STORED_BYTES];
    random.nextBytes(stored);
    Document document = new Document();
    document.add(new TextField("text", text.toString(), Field.Store.NO));
    document.add(new NumericDocValuesField("number", random.nextInt()));
    document.add(new StoredField("stored", stored));
    return document;
  }

  private static String term(long rank) {
    return "t" + Long.toString(rank, Character.MAX_RADIX);
  }

  Path folder() {
    return folder;
  }

  long bytes() throws IOException {
    long sum = 0;
    try (var files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        sum += Files.size(file);
      }
    }
    return sum;
  }

  /** A query of a set in which some come often. The same random numbers give the same query. */
  Query query(Random random) {
    long number = QUERY_RANKS.rank(random.nextDouble());
    Random own = new Random(seed ^ Zipfian.scramble(number));
    Query first = termQuery(own);
    return switch (own.nextInt(3)) {
      case 0 -> first;
      case 1 -> both(first, termQuery(own), BooleanClause.Occur.MUST);
      default -> both(first, termQuery(own), BooleanClause.Occur.SHOULD);
    };
  }

  private static Query termQuery(Random random) {
    long rank = Math.max(STOP_WORDS, TERM_RANKS.rank(random.nextDouble()));
    return new TermQuery(new Term("text", term(rank)));
  }

  private static Query both(Query first, Query second, BooleanClause.Occur occur) {
    return new BooleanQuery.Builder().add(first, occur).add(second, occur).build();
  }

  /** Opens a writer whose forced merges write each segment anew, on merge threads of Lucene's. */
  static IndexWriter openForRewriting(Directory directory) throws IOException {
    return new IndexWriter(
        directory,
        new IndexWriterConfig(ANALYZER)
            .setMergePolicy(new Rewriting())
            .setMergeScheduler(new ConcurrentMergeScheduler()));
  }

  /**
   * Merges each segment by itself, once. So searches look for the same blocks after as before, of
   * other files, and hit ratios can be compared; fewer segments would have fewer lookups of the
   * blocks that each search hits.
   */
  private static final class Rewriting extends FilterMergePolicy {
    private boolean done;

    Rewriting() {
      super(NoMergePolicy.INSTANCE);
    }

    @Override
    public @Nullable MergeSpecification findForcedMerges(
        SegmentInfos segments,
        int maxSegments,
        Map<SegmentCommitInfo, Boolean> toMerge,
        MergeContext context) {
      if (done) {
        return null;
      }
      done = true;
      MergeSpecification merges = new MergeSpecification();
      segments.forEach(segment -> merges.add(new OneMerge(List.of(segment))));
      return merges;
    }
  }
}
