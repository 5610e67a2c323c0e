// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import io.nvcache.background.DaemonThread;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The choice whether blocks are copied in one pass or {@linkplain StreamedCopy in streams}. Which
 * is quicker depends on the processor, on the direction and on the length, by a third either way,
 * so the machine at hand is measured: once in a JVM, when the first cache on memory large enough is
 * built, by its own thread that takes some tenths of a second of one processor. It takes its
 * samples over a second or two, since what streams gain changes from one moment to the next. Until
 * it ends, and where it finds no clear gain, blocks are copied in one pass.
 *
 * <p>{@code -Dnvcache.copies=plain} or {@code streams} chooses by hand, and measures nothing.
 *
 * <p>Each choice is a bit of one field, which copies read without ordering: an old value costs
 * time, and nothing else.
 */
public final class CopyOrder {
  private static final Logger LOG = LoggerFactory.getLogger(CopyOrder.class);
  private static final String PROPERTY = "nvcache.copies";

  /**
   * The length from which writes are chosen for separately: long blocks gain where short ones lose.
   */
  private static final int LONG_BYTES = 32 << 10;

  /** More than most processors' caches keep, so that blocks come from memory. */
  private static final int MEASURED_BYTES = 64 << 20;

  /** The longest block that is measured. */
  private static final int LONGEST_BYTES = 256 << 10;

  private static final int PAIRS = 31;

  /**
   * Of each side of a pair. Written lines are written back later, while others are copied. After a
   * single turn of writes, the reads that follow would pay for that.
   */
  private static final int TURNS = 8;

  /** Pairs with the lowest, and pairs with the highest ratio, that do not count. */
  private static final int OUTLIERS = 4;

  private static final int PAUSE_MILLIS = 40;
  private static final int BYTES_PER_SAMPLE = 1 << 20;
  private static final int LEAST_WARM_UPS = 10;
  private static final int MOST_WARM_UPS = 30;
  private static final int WARM_UP_PAUSE_MILLIS = 5;

  /** Warming up ends when a round is hardly quicker than the one before. */
  private static final double STILL_WARMING_UP = 0.95;

  /** What streams must save: less is within what two measurements differ by. */
  private static final double CLEAR_GAIN = 0.97;

  /** A direction of copies, seen from the medium, and a class of lengths. */
  private enum Choice {
    READS_FROM_32_KIB(1, true, 64 << 10, LONGEST_BYTES),
    WRITES_BELOW_32_KIB(2, false, 16 << 10, 16 << 10),
    WRITES_FROM_32_KIB(4, false, 64 << 10, LONGEST_BYTES);

    private final int bit;
    private final boolean reads;
    private final int lengthBytes;
    private final int longerBytes;

    Choice(int bit, boolean reads, int lengthBytes, int longerBytes) {
      this.bit = bit;
      this.reads = reads;
      this.lengthBytes = lengthBytes;
      this.longerBytes = longerBytes;
    }

    void copy(boolean inStreams, long block, byte @Nullable [] array, long at, int lengthBytes) {
      if (reads && inStreams) {
        StreamedCopy.read(block, array, at, lengthBytes);
      } else if (reads) {
        StreamedCopy.copyOut(block, array, at, lengthBytes);
      } else if (inStreams) {
        StreamedCopy.write(array, at, block, lengthBytes);
      } else {
        StreamedCopy.copyIn(array, at, block, lengthBytes);
      }
    }
  }

  private static final int ALL = ~0;
  private static final String BY_HAND = System.getProperty(PROPERTY, "");
  private static final AtomicBoolean MEASURED = new AtomicBoolean();
  private static final CountDownLatch CHOSEN = new CountDownLatch(1);

  private static int streamed = BY_HAND.equals("streams") ? ALL : 0;

  private CopyOrder() {}

  /** Returns whether blocks of a length are quicker to read in streams. */
  public static boolean readsInStreams(int lengthBytes) {
    return lengthBytes >= StreamedCopy.LEAST_READ_BYTES && isStreamed(Choice.READS_FROM_32_KIB);
  }

  static boolean writesInStreams(int lengthBytes) {
    return lengthBytes >= StreamedCopy.LEAST_WRITTEN_BYTES
        && isStreamed(
            lengthBytes < LONG_BYTES ? Choice.WRITES_BELOW_32_KIB : Choice.WRITES_FROM_32_KIB);
  }

  private static boolean isStreamed(Choice choice) {
    return (streamed & choice.bit) != 0;
  }

  /**
   * Begins to measure this machine, unless that was done or the choice was made by hand.
   *
   * @param mediumBytes what the medium holds; one that fits in a processor's caches is not worth it
   * @throws IllegalArgumentException if the choice by hand is none
   */
  public static void measureFor(long mediumBytes) {
    if (!List.of("", "plain", "streams").contains(BY_HAND)) {
      throw new IllegalArgumentException(
          "-D" + PROPERTY + " is " + BY_HAND + "; it must be plain or streams, or not set");
    }
    if (BY_HAND.isEmpty() && mediumBytes >= MEASURED_BYTES && MEASURED.compareAndSet(false, true)) {
      Thread thread = DaemonThread.of("nvcache-copy-order", CopyOrder::measure);
      try {
        thread.start();
      } catch (OutOfMemoryError noThread) {
        LOG.warn("no thread to measure the order of copies; copied in one pass", noThread);
        CHOSEN.countDown();
      }
    }
  }

  /** Waits until the choice is made, if a measurement has begun: for those who time copies. */
  public static void awaitChoice() throws InterruptedException {
    if (MEASURED.get()) {
      CHOSEN.await();
    }
  }

  /** Returns the choice in words. */
  public static String describe() {
    int bits = streamed;
    if (bits == 0) {
      return "all in one pass";
    }
    List<String> named =
        Arrays.stream(Choice.values())
            .filter(choice -> (bits & choice.bit) != 0)
            .map(choice -> choice.name().toLowerCase(Locale.ROOT).replace('_', ' '))
            .toList();
    return "in streams: " + String.join(", ", named);
  }

  private static void measure() {
    try (OffHeapBytes blocks = OffHeapBytes.filled(MEASURED_BYTES, 4096, (byte) 1);
        OffHeapBytes buffer = OffHeapBytes.filled(LONGEST_BYTES, 64, (byte) 1)) {
      Measurement measurement = new Measurement(blocks.address(), buffer.address());
      measurement.warmUp();
      StringBuilder ratios = new StringBuilder();
      int bits = 0;
      for (Map.Entry<Choice, Double> measured : measurement.streamsToStroke().entrySet()) {
        double ratio = measured.getValue();
        bits |= ratio < CLEAR_GAIN ? measured.getKey().bit : 0;
        ratios.append(String.format(Locale.ROOT, " %.2f", ratio));
      }
      streamed = bits;
      LOG.debug("copies of blocks: {} (streams to a stroke:{})", describe(), ratios);
    } catch (InterruptedException | RuntimeException | Error e) {
      LOG.warn("the order of copies was not measured; blocks are copied in one pass", e);
    } finally {
      CHOSEN.countDown();
    }
  }

  /**
   * Copies blocks of memory in random order, as lookups and inserts do: as many from and to arrays
   * as from and to direct buffers, since streams gain more with the one than with the other.
   */
  private static final class Measurement {
    private final long blocks;
    private final long buffer;
    private final byte[] array = new byte[LONGEST_BYTES];
    private final SplittableRandom random = new SplittableRandom(1);

    Measurement(long blocks, long buffer) {
      this.blocks = blocks;
      this.buffer = buffer;
    }

    /** Lets the JIT compilers finish, which other threads keep busy when a program starts. */
    void warmUp() throws InterruptedException {
      long before = Long.MAX_VALUE;
      for (int i = 0; i < MOST_WARM_UPS; i++) {
        long nanos = 0;
        for (Choice choice : Choice.values()) {
          nanos += nanos(choice, false) + nanos(choice, true);
        }
        if (i >= LEAST_WARM_UPS && nanos > STILL_WARMING_UP * before) {
          return;
        }
        before = nanos;
        Thread.sleep(WARM_UP_PAUSE_MILLIS);
      }
    }

    /** Returns the mean of each choice's pairs, whose sides take turns in being the first. */
    Map<Choice, Double> streamsToStroke() throws InterruptedException {
      Map<Choice, double[]> pairs = new EnumMap<>(Choice.class);
      double[] first = new double[TURNS];
      double[] second = new double[TURNS];
      for (int i = 0; i < PAIRS; i++) {
        boolean streamsFirst = (i & 1) == 0;
        for (Choice choice : Choice.values()) {
          for (int turn = 0; turn < TURNS; turn++) {
            first[turn] = nanos(choice, streamsFirst);
            second[turn] = nanos(choice, !streamsFirst);
          }
          double ratio = middle(first) / middle(second);
          pairs.computeIfAbsent(choice, unknown -> new double[PAIRS])[i] =
              streamsFirst ? ratio : 1 / ratio;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
      Map<Choice, Double> means = new EnumMap<>(Choice.class);
      pairs.forEach((choice, ratios) -> means.put(choice, meanWithoutOutliers(ratios)));
      return means;
    }

    /**
     * Returns the time of the middle half: a turn from which the system took its processor is none.
     */
    private static double middle(double[] turns) {
      Arrays.sort(turns);
      return Arrays.stream(turns, TURNS / 4, TURNS - TURNS / 4).sum();
    }

    /** Returns the geometric mean: what is lost at times by half weighs as much as what is won. */
    private static double meanWithoutOutliers(double[] ratios) {
      Arrays.sort(ratios);
      double sum = 0;
      for (int i = OUTLIERS; i < PAIRS - OUTLIERS; i++) {
        sum += Math.log(ratios[i]);
      }
      return Math.exp(sum / (PAIRS - 2 * OUTLIERS));
    }

    private long nanos(Choice choice, boolean inStreams) {
      long begin = System.nanoTime();
      copyBlocks(choice, inStreams, choice.lengthBytes);
      copyBlocks(choice, inStreams, choice.longerBytes);
      return Math.max(1, System.nanoTime() - begin);
    }

    private void copyBlocks(Choice choice, boolean inStreams, int lengthBytes) {
      int places = MEASURED_BYTES / lengthBytes;
      for (int i = BYTES_PER_SAMPLE / 2 / lengthBytes; i > 0; i--) {
        long block = blocks + (long) random.nextInt(places) * lengthBytes;
        boolean ofArray = (i & 1) == 0;
        choice.copy(inStreams, block, ofArray ? array : null, ofArray ? 0 : buffer, lengthBytes);
      }
    }
  }
}
