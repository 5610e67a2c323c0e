// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

/**
 * A device as docs/evidence/benchmarks.md models it: what readers and writers get, by the numbers
 * of both.
 *
 * <pre>
 *   W(w)   = a · min(w, D) · max(1, w/D)^−k        all writers together, nobody reading
 *   reader = min( c,  1 / (r/A + s·w/W(w)) )       each reader
 *   writer =          1 / (t·r/A + w/W(w))         each writer
 * </pre>
 *
 * @param readBandwidth A, of all readers, bytes per second
 * @param readerBandwidth c, the most that one reader gets, bytes per second
 * @param writerBandwidth a, of one writer, bytes per second
 * @param fullSpeedWriters D, the writers up to which each gets that
 * @param writerCrowding k, how write bandwidth falls beyond
 * @param readsSlowedByWrites s; 1 = they wait in one queue, 0 = they don't notice each other
 * @param writesSlowedByReads t; as s
 */
public record DeviceParameters(
    double readBandwidth,
    double readerBandwidth,
    double writerBandwidth,
    int fullSpeedWriters,
    double writerCrowding,
    double readsSlowedByWrites,
    double writesSlowedByReads) {

  /**
   * The paper's two modules, fitted to the two figures of A. Fedorova et al., "Writes Hurt: Lessons
   * in Cache Design for Optane NVRAM", SoCC 2022: write bandwidth peaks at one writer per module
   * and then declines (Fig. 1), and eight readers together get 12 GB/s alone, 3.4 GB/s next to one
   * writer and 0.8 GB/s next to eight (Fig. 2). The second follows from the first when readers and
   * writers wait for each other in one queue.
   */
  public static final DeviceParameters OPTANE =
      new DeviceParameters(12e9, 2.5e9, 0.6e9, 2, 0.2, 1, 1);

  /** With as many the paper describes its medium, in Fig. 2. */
  private static final int PAPERS_READERS = 8;

  /** The same where reads and writes do not notice each other. */
  public DeviceParameters undisturbed() {
    return new DeviceParameters(
        readBandwidth, readerBandwidth, writerBandwidth, fullSpeedWriters, writerCrowding, 0, 0);
  }

  /** Bytes per second of all readers together. */
  public double allReaders(int readers, int writers) {
    if (readers == 0) {
      return 0;
    }
    double queue = readers / readBandwidth + readsSlowedByWrites * writing(writers);
    return readers * Math.min(readerBandwidth, 1 / queue);
  }

  /** Bytes per second of all writers together. */
  public double allWriters(int readers, int writers) {
    return writers == 0
        ? 0
        : writers / (writesSlowedByReads * readers / readBandwidth + writing(writers));
  }

  /** The time that the writers' turn takes, in seconds for a byte of each. */
  private double writing(int writers) {
    if (writers == 0) {
      return 0;
    }
    double crowding =
        StrictMath.pow(Math.max(1, (double) writers / fullSpeedWriters), -writerCrowding);
    return writers / (writerBandwidth * Math.min(writers, fullSpeedWriters) * crowding);
  }

  /**
   * The harm that policies see ({@link io.nvcache.medium.WriteCost#harm}): the harm of as many
   * readers as the paper has, since it grows with their number.
   */
  public double policyHarm() {
    return harm(PAPERS_READERS);
  }

  /** Bytes that so many readers can't read for each byte that one writer writes next to them. */
  public double harm(int readers) {
    return (allReaders(readers, 0) - allReaders(readers, 1)) / allWriters(readers, 1);
  }
}
