// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.bench.lucene.LuceneBenchResult.Cell;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;

/** Runs the engines through the scenarios, one after the other, over one index. */
final class LuceneBench {
  /** How many times the index is what the caches may hold, beyond memory. */
  private static final int TIMES_MEMORY = 4;

  private static final int COMPARED_SEARCHES = 50;

  private final LuceneBenchSettings settings;
  private final Progress progress;
  private final StopSignal stop;

  LuceneBench(LuceneBenchSettings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  LuceneBenchResult run() throws IOException {
    Path work = Files.createTempDirectory(settings.directory(), "nvcache-bench-lucene");
    try {
      Corpus corpus =
          Corpus.write(
              Files.createDirectory(work.resolve("index")),
              settings.documents(),
              settings.seed(),
              progress);
      return compare(corpus, work);
    } finally {
      delete(work);
    }
  }

  private LuceneBenchResult compare(Corpus corpus, Path work) throws IOException {
    long right;
    try (Directory plain = new NIOFSDirectory(corpus.folder());
        Searches searches = new Searches(corpus, plain, settings, stop)) {
      right = searches.fingerprint(COMPARED_SEARCHES);
    }
    List<Cell> cells = new ArrayList<>();
    int steps = settings.scenarios().size() * settings.engines().size();
    try (Progress.Phase phase = progress.begin("bench lucene", steps)) {
      for (LuceneScenario scenario : settings.scenarios()) {
        double niofs = Double.NaN;
        for (LuceneEngine engine : settings.engines()) {
          if (stop.isRequested()) {
            break;
          }
          Cell cell = measure(engine, scenario, corpus, work, right);
          if (engine == LuceneEngine.NIOFS) {
            niofs = cell.queriesPerSecond();
          }
          cells.add(relativeTo(niofs, cell));
          phase.at(cells.size(), scenario.label() + " " + engine.label());
        }
      }
    }
    return new LuceneBenchResult(corpus.bytes(), cells);
  }

  private static Cell relativeTo(double niofs, Cell cell) {
    return new Cell(
        cell.engine(),
        cell.scenario(),
        cell.queriesPerSecond(),
        cell.queriesPerSecond() / niofs,
        cell.hitRatio(),
        cell.hitRatioBefore(),
        cell.wrongResults());
  }

  private Cell measure(
      LuceneEngine engine, LuceneScenario scenario, Corpus corpus, Path work, long right)
      throws IOException {
    boolean warm = scenario == LuceneScenario.WARM;
    long capacityBytes = warm ? 2 * corpus.bytes() : corpus.bytes() / TIMES_MEMORY;
    Duration latency = warm ? Duration.ZERO : settings.latency();
    try (ReadPath path = ReadPath.of(engine, capacityBytes, latency);
        Directory directory = path.open(corpus.folder());
        Searches searches = new Searches(corpus, directory, settings, stop)) {
      long wrong = searches.fingerprint(COMPARED_SEARCHES) == right ? 0 : COMPARED_SEARCHES;
      searches.run(settings.warmUp());
      double before = Double.NaN;
      if (scenario == LuceneScenario.MERGE) {
        HitRatio ratio = new HitRatio(path);
        searches.run(settings.measured());
        before = ratio.get();
        mergeBeside(path, corpus, work);
      }
      HitRatio ratio = new HitRatio(path);
      double queriesPerSecond = searches.run(settings.measured());
      return new Cell(engine, scenario, queriesPerSecond, Double.NaN, ratio.get(), before, wrong);
    }
  }

  /** Merges a copy of the index by the same memory, as another shard of a node would be. */
  private static void mergeBeside(ReadPath path, Corpus corpus, Path work) throws IOException {
    Path copy = Files.createDirectory(work.resolve("merged"));
    try {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(corpus.folder())) {
        for (Path file : files) {
          Files.copy(file, copy.resolve(file.getFileName()));
        }
      }
      try (Directory directory = path.openAtHand(copy)) {
        Corpus.mergeAll(directory);
      }
    } finally {
      delete(copy);
    }
  }

  /** The hit ratio from now on. */
  private static final class HitRatio {
    private final ReadPath path;
    private final long hits;
    private final long lookups;

    HitRatio(ReadPath path) {
      this.path = path;
      this.hits = path.hits();
      this.lookups = path.lookups();
    }

    double get() {
      long since = path.lookups() - lookups;
      return since == 0 ? Double.NaN : (double) (path.hits() - hits) / since;
    }
  }

  private static void delete(Path folder) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        if (Files.isDirectory(entry)) {
          delete(entry);
        } else {
          Files.delete(entry);
        }
      }
    }
    Files.delete(folder);
  }
}
