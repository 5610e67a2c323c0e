// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * What the garbage collector's pauses cost an application that allocates while a cache is resident:
 * objects that a cache keeps on the heap are marked and moved at the application's expense.
 *
 * <p>The application allocates small arrays and keeps some of them for a while, at random, so that
 * collections find survivors. For each {@value #BYTES_PER_USE} bytes it uses the cache once. Pauses
 * are read from the flight recorder, in nanoseconds; the collectors' own beans count whole
 * milliseconds.
 */
public final class GcProbe {
  private static final String PAUSE = "jdk.GCPhasePause";
  private static final int ARRAY_BYTES = 1024;
  private static final int KEPT_ARRAYS = 8 << 10;
  private static final int KEPT_PART = 8;
  private static final int BYTES_PER_USE = 64 << 10;
  private static final double GIB = 1L << 30;

  /** Pauses differ from one time to the next. */
  private static final int TIMES = 5;

  private final byte[][] kept = new byte[KEPT_ARRAYS][];
  private final long bytes;

  /**
   * Prepares a measurement.
   *
   * @param bytes to allocate each of the times
   */
  public GcProbe(long bytes) {
    this.bytes = bytes;
  }

  /**
   * Reports the pauses while the application allocates, and in full collections: medians and
   * quartiles of {@value #TIMES} times, after one that is not reported.
   *
   * @param use of the cache
   */
  public void run(Runnable use, Emitter out) {
    var unused = pauseMillis(() -> allocate(use));
    double[] pauses = new double[TIMES];
    double[] full = new double[TIMES];
    for (int i = 0; i < TIMES; i++) {
      pauses[i] = pauseMillis(() -> allocate(use)) / (bytes / GIB);
      full[i] = pauseMillis(System::gc);
    }
    out.quartiles("gc_pause_ms_per_gib", Quartiles.of(pauses), "ms/GiB");
    out.quartiles("full_gc_pause_ms", Quartiles.of(full), "ms");
    Arrays.fill(kept, null);
  }

  private void allocate(Runnable use) {
    long state = 1;
    for (long allocated = 0; allocated < bytes; allocated += ARRAY_BYTES) {
      byte[] array = new byte[ARRAY_BYTES];
      state = state * 0x5851f42d4c957f2dL + 1;
      int place = (int) (state >>> 33) & (KEPT_PART * KEPT_ARRAYS - 1);
      if (place < KEPT_ARRAYS) {
        kept[place] = array;
      }
      if (allocated % BYTES_PER_USE == 0) {
        use.run();
      }
    }
  }

  private static double pauseMillis(Runnable work) {
    try (Recording recording = new Recording()) {
      recording.enable(PAUSE).withoutThreshold().withoutStackTrace();
      recording.start();
      work.run();
      recording.stop();
      Path file = Files.createTempFile("nvcache-gc", ".jfr");
      try {
        recording.dump(file);
        long nanos = 0;
        for (RecordedEvent pause : RecordingFile.readAllEvents(file)) {
          nanos += pause.getDuration().toNanos();
        }
        return nanos / 1e6;
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
