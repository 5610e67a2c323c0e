// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

/**
 * How fast one reader and one writer of an emulated medium get on, by the numbers of both: those of
 * {@link DeviceParameters#OPTANE} to some scale.
 *
 * @param scale factor of all speeds; 1 = the paper's two modules
 */
public record NvramSpeeds(double scale) {
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
    return scale * DeviceParameters.OPTANE.allReaders(readers, writers) / readers;
  }

  /** Bytes per second that each of the writers gets. At least one writer. */
  public double writerBytesPerSecond(int readers, int writers) {
    return scale * DeviceParameters.OPTANE.allWriters(readers, writers) / writers;
  }
}
