// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

/**
 * How fast one reader and one writer of an Optane memory get on, by the numbers of both.
 *
 * <p>Fitted to the two figures of A. Fedorova et al., "Writes Hurt: Lessons in Cache Design for
 * Optane NVRAM", SoCC 2022: write bandwidth peaks at one writer per DIMM and then declines (Fig.
 * 1), and eight readers together get 12 GB/s alone, 3.4 GB/s next to one writer and 0.8 GB/s next
 * to eight (Fig. 2). The second follows from the first when readers and writers wait for each other
 * in one queue:
 *
 * <pre>
 *   W(w)   = 0.6 GB/s · min(w, D) · max(1, w/D)^−0.2      all writers together, D = 2 DIMMs
 *   ρ(r,w) = 1 / (r/12 + w/W(w)) GB/s                     one job in the shared queue
 *   reader = min(ρ, 2.5 GB/s)        writer = min(ρ, W(w)/w)
 * </pre>
 *
 * @param scale factor of all speeds; 1 = the paper's two DIMMs
 */
public record NvramSpeeds(double scale) {
  private static final int DIMMS = 2;
  private static final double GIGABYTE = 1e9;
  private static final double ALL_READERS = 12 * GIGABYTE;
  private static final double ONE_READER = 2.5 * GIGABYTE;
  private static final double WRITES_PER_DIMM = 0.6 * GIGABYTE;
  private static final double WRITER_CROWDING = -0.2;

  /** The slowest and the fastest scale that makes sense in real time. */
  public static final double MIN_SCALE = 0.001;

  /** See {@link #MIN_SCALE}. */
  public static final double MAX_SCALE = 1000;

  /** Checks the range. */
  public NvramSpeeds {
    if (!(scale >= MIN_SCALE && scale <= MAX_SCALE)) {
      throw new IllegalArgumentException(
          "scale is " + scale + "; it must be between " + MIN_SCALE + " and " + MAX_SCALE);
    }
  }

  /** Bytes per second that each of the readers gets. At least one reader. */
  public double readerBytesPerSecond(int readers, int writers) {
    return scale * Math.min(sharedQueue(readers, writers), ONE_READER);
  }

  /** Bytes per second that each of the writers gets. At least one writer. */
  public double writerBytesPerSecond(int readers, int writers) {
    return scale * Math.min(sharedQueue(readers, writers), allWriters(writers) / writers);
  }

  private static double sharedQueue(int readers, int writers) {
    double writing = writers == 0 ? 0 : writers / allWriters(writers);
    return 1 / (readers / ALL_READERS + writing);
  }

  private static double allWriters(int writers) {
    double crowding = Math.pow(Math.max(1, (double) writers / DIMMS), WRITER_CROWDING);
    return WRITES_PER_DIMM * Math.min(writers, DIMMS) * crowding;
  }
}
