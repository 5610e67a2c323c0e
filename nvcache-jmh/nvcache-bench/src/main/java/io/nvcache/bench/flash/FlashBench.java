// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.flash;

import com.sun.nio.file.ExtendedOpenOption;
import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.FlashMedium;
import io.nvcache.progress.Progress;
import io.nvcache.progress.StopSignal;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Hits of a cache on flash, beside a loop of bare direct reads of the same file: each thread its
 * own channel and its own aligned buffer. Both sides take turns, the first one another in each
 * round, so that what else the machine does meets both.
 */
public final class FlashBench {
  private static final long FILE = 1;

  /** Of the capacity, filled with blocks. */
  private static final double FILLED = 0.9;

  private final FlashBenchSettings settings;
  private final Progress progress;
  private final StopSignal stop;
  private final AtomicLong wrongBlocks = new AtomicLong();

  public FlashBench(FlashBenchSettings settings, Progress progress, StopSignal stop) {
    this.settings = settings;
    this.progress = progress;
    this.stop = stop;
  }

  /** A bare read and a hit of the same number of threads, one after the other. */
  private record Pair(ReadTurn bare, ReadTurn cached) {}

  /** Measures; what was not begun when a stop was asked for is left out. */
  public FlashBenchResult run() throws IOException {
    Path file = settings.directory().resolve("nvcache-bench-" + ProcessHandle.current().pid());
    List<FileChannel> channels = new ArrayList<>();
    try (BlockCache cache = build(file)) {
      long before = bytesWrittenToDevices();
      int[] blocks = fill(cache);
      double deviceBytesRatio =
          (double) (bytesWrittenToDevices() - before) / cache.stats().admittedBytes();
      List<FlashBenchResult.Cell> cells = new ArrayList<>();
      for (int threads : settings.threads()) {
        List<Pair> pairs = measure(cache, file, channels, threads, blocks);
        if (!pairs.isEmpty()) {
          cells.add(cell(threads, pairs));
        }
      }
      return new FlashBenchResult(
          cells, before == 0 ? Double.NaN : deviceBytesRatio, wrongBlocks.get());
    } finally {
      // Not earlier: closing any channel of the file takes the cache's lock away.
      for (FileChannel channel : channels) {
        channel.close();
      }
    }
  }

  private BlockCache build(Path file) throws IOException {
    return BlockCache.builder()
        .medium(FlashMedium.create(file, settings.capacityBytes(), CloseAction.DELETE))
        .expectedBlockBytes(settings.blockBytes())
        .maxBlockBytes(settings.blockBytes())
        .admission(AdmissionPresets.admitAll())
        .eviction(FifoEviction::new)
        .build();
  }

  /** Returns the blocks that are cached; the few that the index displaced are not among them. */
  private int[] fill(BlockCache cache) throws IOException {
    int blocks = (int) (settings.capacityBytes() * FILLED / settings.blockBytes());
    ByteBuffer block = ByteBuffer.allocateDirect(settings.blockBytes());
    try (Progress.Phase phase = progress.begin("filling", blocks)) {
      for (int i = 0; i < blocks && !stop.isRequested(); i++) {
        block.putLong(0, i).putLong(settings.blockBytes() - Long.BYTES, i);
        OfferResult result = cache.offer(FILE, offset(i), block.clear(), Source.READ);
        if (result != OfferResult.ADMITTED) {
          throw new IOException("block " + i + " was answered with " + result);
        }
        phase.at(i + 1L, "");
      }
    }
    return IntStream.range(0, blocks)
        .filter(i -> cache.get(FILE, offset(i), block.clear()) != BlockCache.MISS)
        .toArray();
  }

  private long offset(int block) {
    return (long) block * settings.blockBytes();
  }

  private List<Pair> measure(
      BlockCache cache, Path file, List<FileChannel> channels, int threads, int[] blocks)
      throws IOException {
    List<Pair> pairs = new ArrayList<>();
    long nanos = settings.turn().toNanos();
    try (Progress.Phase phase = progress.begin(threads + " threads", settings.rounds())) {
      // A turn of each beforehand, which compiles what the turns run.
      for (int round = -1; round < settings.rounds() && !stop.isRequested(); round++) {
        long seed = round;
        ReadTurn[] turns = new ReadTurn[2];
        for (int side : new int[] {round & 1, ~round & 1}) {
          turns[side] =
              side == 0
                  ? ReadTurn.run(() -> bare(file, channels), threads, blocks, nanos, seed)
                  : ReadTurn.run(() -> cached(cache), threads, blocks, nanos, seed);
        }
        if (round >= 0) {
          pairs.add(new Pair(turns[0], turns[1]));
          phase.at(round + 1L, "");
        }
      }
    }
    return pairs;
  }

  private ReadTurn.BlockReader bare(Path file, List<FileChannel> channels) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, ExtendedOpenOption.DIRECT);
    channels.add(channel);
    int alignment = (int) Files.getFileStore(file).getBlockSize();
    ByteBuffer buffer =
        ByteBuffer.allocateDirect(settings.blockBytes() + alignment).alignedSlice(alignment);
    return block -> {
      buffer.clear().limit(settings.blockBytes());
      if (channel.read(buffer, offset(block)) != settings.blockBytes()) {
        throw new IOException("a short read of block " + block);
      }
    };
  }

  private ReadTurn.BlockReader cached(BlockCache cache) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(settings.blockBytes());
    return block -> {
      int length = cache.get(FILE, offset(block), buffer.clear());
      if (length == BlockCache.MISS) {
        throw new IOException("block " + block + " is missing");
      }
      if (buffer.getLong(0) != block || buffer.getLong(length - Long.BYTES) != block) {
        wrongBlocks.incrementAndGet();
      }
    };
  }

  private static FlashBenchResult.Cell cell(int threads, List<Pair> pairs) {
    return new FlashBenchResult.Cell(
        threads,
        median(pairs, pair -> pair.bare().readsPerSecond()),
        median(pairs, pair -> pair.cached().readsPerSecond()),
        median(pairs, pair -> pair.bare().cpuMicrosPerRead()),
        median(pairs, pair -> pair.cached().cpuMicrosPerRead()),
        median(pairs, pair -> pair.cached().readsPerSecond() / pair.bare().readsPerSecond()),
        median(pairs, pair -> pair.cached().cpuMicrosPerRead() / pair.bare().cpuMicrosPerRead()),
        median(pairs, pair -> (double) pair.cached().garbageBytes() / pair.cached().reads()));
  }

  private static double median(List<Pair> pairs, ToDoubleFunction<Pair> figure) {
    double[] sorted = pairs.stream().mapToDouble(figure).sorted().toArray();
    return Arrays.stream(sorted, (sorted.length - 1) / 2, sorted.length / 2 + 1)
        .average()
        .orElseThrow();
  }

  /** What proc(5) has as write_bytes; 0 where the system does not tell. */
  private static long bytesWrittenToDevices() {
    try {
      return Files.readAllLines(Path.of("/proc/self/io")).stream()
          .filter(line -> line.startsWith("write_bytes: "))
          .mapToLong(line -> Long.parseLong(line.substring(line.indexOf(' ') + 1)))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
