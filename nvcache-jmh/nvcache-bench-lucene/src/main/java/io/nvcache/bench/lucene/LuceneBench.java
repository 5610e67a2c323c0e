// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.NIOFSDirectory;

/** Runs the engines through the scenarios, one after the other, over one index. */
final class LuceneBench {
  /** How many times the index is what the caches may hold, beyond memory. */
  private static final int TIMES_MEMORY = 4;

  private static final int COMPARED_SEARCHES = 50;

  /** How often each engine has its turn where all is warm. Odd. */
  private static final int TURNS = 9;

  /** What engines are compared by. */
  private static final String SPEED = "queries_per_second";

  private final LuceneBenchSettings settings;
  private final Progress progress;
  private final StopSignal stop;
  private final Measurements measured = new Measurements();

  LuceneBench(LuceneBenchSettings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /** Measures; what was not begun when a stop was asked for is left out. */
  Measurements run() throws IOException {
    Path work = Files.createTempDirectory(settings.directory(), "nvcache-bench-lucene");
    try {
      Path kept = settings.index();
      Path folder = kept == null ? work.resolve("index") : kept;
      Corpus corpus = Corpus.in(folder, settings.documents(), settings.seed(), progress);
      compare(corpus, work);
      addRatios();
      return measured;
    } finally {
      delete(work);
    }
  }

  private void compare(Corpus corpus, Path work) throws IOException {
    long right;
    try (Directory plain = new NIOFSDirectory(corpus.folder());
        Searches searches = new Searches(corpus, DirectoryReader.open(plain), settings, stop)) {
      right = searches.fingerprint(COMPARED_SEARCHES);
    }
    int steps = settings.scenarios().size() * settings.engines().size();
    int done = 0;
    try (Progress.Phase phase = progress.begin("bench lucene", steps)) {
      for (LuceneScenario scenario : settings.scenarios()) {
        List<LuceneEngine> engines =
            settings.engines().stream().filter(engine -> engine.canRun(scenario)).toList();
        if (scenario == LuceneScenario.WARM) {
          measureWarm(engines, corpus, right);
          done += engines.size();
        } else {
          for (LuceneEngine engine : engines) {
            if (stop.isRequested()) {
              return;
            }
            measure(engine, scenario, corpus, work, right);
            phase.at(++done, scenario.label() + " " + engine.label());
          }
        }
      }
    }
  }

  /** Adds the searches a second of each engine, as multiples of its peers' in the same scenario. */
  private void addRatios() {
    for (Map<String, String> cell : measured.distinct(List.of("engine", "scenario"))) {
      double speed = measured.value(SPEED, cell);
      for (LuceneEngine peer : LuceneEngine.values()) {
        Map<String, String> ofPeer = new HashMap<>(cell);
        ofPeer.put("engine", peer.label());
        if (peer != LuceneEngine.NVCACHE) {
          measured
              .with(cell)
              .add(
                  "ratio_to_" + peer.label().replace('-', '_'),
                  speed / measured.value(SPEED, ofPeer),
                  "ratio");
        }
      }
    }
  }

  private Measurements of(LuceneEngine engine, LuceneScenario scenario) {
    return measured.with("engine", engine.label()).with("scenario", scenario.label());
  }

  /** Adds what was measured of an engine; in a merge, right after it. */
  private static void add(double queriesPerSecond, double hitRatio, long wrong, Measurements to) {
    to.add(SPEED, queriesPerSecond, "queries/s")
        .add("hit_ratio", hitRatio, "ratio")
        .add("wrong_results", wrong, "queries");
  }

  private void measure(
      LuceneEngine engine, LuceneScenario scenario, Corpus corpus, Path work, long right)
      throws IOException {
    try (ReadPath path = ReadPath.of(engine, scarceBytes(corpus), settings.latency())) {
      if (scenario == LuceneScenario.MERGE) {
        Path copy = copyOf(corpus, work);
        try {
          measureMerge(engine, path, corpus, copy, right);
        } finally {
          delete(copy);
        }
        return;
      }
      try (Directory directory = path.open(corpus.folder());
          Searches searches =
              new Searches(corpus, DirectoryReader.open(directory), settings, stop)) {
        long wrong = wrong(searches, right);
        searches.run(settings.warmUp());
        HitRatio ratio = new HitRatio(path);
        double queriesPerSecond = searches.run(settings.measured());
        add(queriesPerSecond, ratio.get(), wrong, of(engine, scenario));
      }
    }
  }

  /**
   * Measures engines that have all of the index in memory, in turns: what else the machine does
   * then falls on all of them, and no engine runs code that was compiled for it alone.
   */
  private void measureWarm(List<LuceneEngine> engines, Corpus corpus, long right)
      throws IOException {
    List<WarmRun> runs = new ArrayList<>();
    try {
      for (LuceneEngine engine : engines) {
        runs.add(new WarmRun(engine, corpus));
      }
      for (WarmRun run : runs) {
        run.wrong = wrong(run.searches, right);
        run.searches.run(settings.warmUp());
      }
      runs.forEach(run -> run.ratio = new HitRatio(run.path));
      for (int turn = 0; turn < TURNS; turn++) {
        for (WarmRun run : runs) {
          run.speeds[turn] = run.searches.run(settings.measured().dividedBy(TURNS));
        }
      }
      for (WarmRun run : runs) {
        Arrays.sort(run.speeds);
        Measurements to = of(run.engine, LuceneScenario.WARM);
        add(run.speeds[TURNS / 2], run.ratio.get(), run.wrong, to);
      }
    } finally {
      for (WarmRun run : runs) {
        run.close();
      }
    }
  }

  /** An engine that takes its turns with others. */
  private final class WarmRun implements AutoCloseable {
    final LuceneEngine engine;
    final ReadPath path;
    final Searches searches;
    final double[] speeds = new double[TURNS];
    private final Directory directory;
    long wrong;
    HitRatio ratio;

    WarmRun(LuceneEngine engine, Corpus corpus) throws IOException {
      this.engine = engine;
      this.path = ReadPath.of(engine, 2 * corpus.bytes(), Duration.ZERO);
      this.directory = path.open(corpus.folder());
      this.searches = new Searches(corpus, DirectoryReader.open(directory), settings, stop);
      this.ratio = new HitRatio(path);
    }

    @Override
    public void close() throws IOException {
      searches.close();
      directory.close();
      path.close();
    }
  }

  private long scarceBytes(Corpus corpus) throws IOException {
    Long given = settings.capacityBytes();
    return given == null ? corpus.bytes() / TIMES_MEMORY : given;
  }

  /**
   * Searches an index, merges all its segments, each into a new one, and goes on with the searches
   * over these, from the first one on. The merges have no delay: plain reads would take minutes.
   */
  private void measureMerge(
      LuceneEngine engine, ReadPath path, Corpus corpus, Path folder, long right)
      throws IOException {
    try (Directory directory = path.open(folder);
        IndexWriter writer = Corpus.openForRewriting(directory);
        Searches searches = new Searches(corpus, DirectoryReader.open(writer), settings, stop)) {
      long wrong = wrong(searches, right);
      searches.run(settings.warmUp());
      HitRatio before = new HitRatio(path);
      double speedBefore = searches.run(settings.measured());
      double hitsBefore = before.get();
      path.pauseDelay(true);
      writer.forceMerge(Integer.MAX_VALUE);
      writer.commit();
      path.pauseDelay(false);
      searches.refresh();
      HitRatio after = new HitRatio(path);
      double speed = searches.run(settings.measured());
      double hitsAfter = after.get();
      wrong += wrong(searches, right); // Documents keep their numbers.
      Measurements to = of(engine, LuceneScenario.MERGE);
      add(speed, hitsAfter, wrong, to);
      to.add("hit_ratio_before_merge", hitsBefore, "ratio")
          .add("ratio_to_before_merge", speed / speedBefore, "ratio");
    }
  }

  private static long wrong(Searches searches, long right) {
    return searches.fingerprint(COMPARED_SEARCHES) == right ? 0 : COMPARED_SEARCHES;
  }

  private static Path copyOf(Corpus corpus, Path work) throws IOException {
    Path copy = Files.createDirectory(work.resolve("merged"));
    try (DirectoryStream<Path> files = Files.newDirectoryStream(corpus.folder())) {
      for (Path file : files) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    return copy;
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
