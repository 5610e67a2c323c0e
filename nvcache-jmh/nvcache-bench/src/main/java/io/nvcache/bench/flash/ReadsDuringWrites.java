// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import com.sun.nio.file.ExtendedOpenOption;
import io.nvcache.bench.flash.FlashBench.Settings;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import io.nvcache.report.Measurements;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Hits while new blocks are cached, so that regions are written and reclaimed; and bare reads while
 * a bare writer writes as much, in turns. Both write at half of the rate of the bare writer alone,
 * or at what the slower of them reaches next to the same readers, if that is less.
 */
final class ReadsDuringWrites implements AutoCloseable {
  /** What the bare writer writes at once. */
  private static final int PIECE_BYTES = 1 << 20;

  /** A writer that is ahead by less continues: a sleep takes as long. */
  private static final long LEAST_WAIT_NANOS = 100_000;

  /** Of the cached blocks, that are read: those that are not about to be reclaimed. */
  private static final double READ = 0.75;

  private final Settings settings;
  private final Path file;
  private final List<FileChannel> channels = new ArrayList<>();

  /** Of the drive, of the bare writer alone. */
  private final double bytesPerSecond;

  /** At which both sides write, in bytes a second. */
  private double rate;

  /** Fills a file for the bare side, and finds the rate of the drive. */
  ReadsDuringWrites(Settings settings, Path file) throws IOException {
    this.settings = settings;
    this.file = file;
    try {
      Writer bare = bareWriter(open(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
      for (long written = 0; written < settings.capacityBytes(); ) {
        written += bare.write();
      }
      this.bytesPerSecond =
          write(bare, settings.turn().toNanos(), Double.POSITIVE_INFINITY).bytesPerSecond();
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private FileChannel open(OpenOption... options) throws IOException {
    Set<OpenOption> all = new HashSet<>(Set.of(options));
    all.add(ExtendedOpenOption.DIRECT);
    FileChannel channel = FileChannel.open(file, all);
    channels.add(channel);
    return channel;
  }

  /** Writes what comes next; used by one thread. */
  @FunctionalInterface
  interface Writer {
    /** Returns how many bytes were written; none if there is no room yet. */
    int write() throws IOException;
  }

  private record Written(long bytes, long nanos) {
    double bytesPerSecond() {
      return bytes * 1e9 / nanos;
    }
  }

  /** What was read and written at the same time. */
  private record Turn(ReadTurn reads, Written written) {
    double p99Micros() {
      return reads.p99Micros();
    }

    double readsPerSecond() {
      return reads.readsPerSecond();
    }

    double writtenPerSecond() {
      return written.bytesPerSecond();
    }
  }

  /** Has both sides take turns. */
  void compare(FilledCache cache, Progress progress, StopSignal stop, Measurements out)
      throws IOException {
    out.add("drive_write_mb_per_s", bytesPerSecond / 1e6, "MB/s");
    int cached = (int) (cache.blocks().length * READ);
    int inFile = (int) (settings.capacityBytes() / settings.blockBytes());
    Writer offers = cache.writer();
    Writer pieces = bareWriter(open(StandardOpenOption.WRITE));
    for (int threads : settings.threads()) {
      rate = bytesPerSecond / 2;
      try (Progress.Phase phase =
          progress.begin(threads + " threads during writes", settings.rounds())) {
        Rounds<Turn> rounds =
            Rounds.of(
                settings.rounds(),
                phase,
                stop,
                round -> turn(this::bareReader, pieces, threads, inFile, round),
                round -> turn(cache::recentReader, offers, threads, cached, round));
        report(rounds, out.with("threads", threads));
      }
    }
  }

  private static void report(Rounds<Turn> rounds, Measurements out) {
    out.add("hit_p99_ratio_during_writes", rounds.ratio(Turn::p99Micros), "ratio")
        .add("hit_p99_us_during_writes", rounds.cached(Turn::p99Micros), "us")
        .add("pread_p99_us_during_writes", rounds.bare(Turn::p99Micros), "us")
        .add("hits_ratio_to_pread_during_writes", rounds.ratio(Turn::readsPerSecond), "ratio")
        .add("written_mb_per_s_during_reads", rounds.bare(Turn::writtenPerSecond) / 1e6, "MB/s")
        .add("written_ratio_to_bare_during_reads", rounds.ratio(Turn::writtenPerSecond), "ratio");
  }

  private Turn turn(ReadTurn.ReaderMaker readers, Writer writer, int threads, int blocks, int round)
      throws IOException {
    long nanos = settings.turn().toNanos();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<Written> writing = thread.submit(() -> write(writer, nanos, rate));
      ReadTurn reads = ReadTurn.run(readers, threads, numbers(blocks), nanos, round);
      Written written = writing.get();
      if (round < 0) { // From now on both sides keep up.
        rate = Math.min(rate, written.bytesPerSecond());
      }
      return new Turn(reads, written);
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      thread.shutdownNow();
    }
  }

  private static int[] numbers(int count) {
    return IntStream.range(0, count).toArray();
  }

  /** Writes for a time, evenly. */
  private static Written write(Writer writer, long nanos, double rate) throws IOException {
    long began = System.nanoTime();
    long bytes = 0;
    long took = 0;
    while (took < nanos) {
      int now = writer.write();
      bytes += now;
      took = System.nanoTime() - began;
      long ahead = (long) (bytes / rate * TimeUnit.SECONDS.toNanos(1)) - took;
      if (now == 0) {
        LockSupport.parkNanos(LEAST_WAIT_NANOS);
      } else if (ahead >= LEAST_WAIT_NANOS) {
        LockSupport.parkNanos(Math.min(ahead, nanos - took));
      }
    }
    return new Written(bytes, took);
  }

  /** Writes the file from the beginning to the end, again and again. */
  private Writer bareWriter(FileChannel channel) {
    int length = (int) Math.min(PIECE_BYTES, settings.capacityBytes());
    ByteBuffer piece = AlignedBuffers.of(length);
    long[] at = {0};
    return () -> {
      if (channel.write(piece.clear(), at[0]) != length) {
        throw new IOException("a short write at " + at[0]);
      }
      at[0] = at[0] + 2L * length > settings.capacityBytes() ? 0 : at[0] + length;
      return length;
    };
  }

  /** Each of the threads that read at once has its own channel. */
  private ReadTurn.BlockReader bareReader() throws IOException {
    FileChannel own = open(StandardOpenOption.READ);
    return FlashBench.bare(own, settings.blockBytes());
  }

  @Override
  public void close() throws IOException {
    for (FileChannel channel : channels) {
      channel.close();
    }
    Files.deleteIfExists(file);
  }
}
