// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.tier;

import io.nvcache.device.BytelessMedium;
import io.nvcache.medium.WriteCost;
import java.nio.ByteBuffer;

/** Counts the bytes that the engine moves, so that the model can charge for them. */
final class ModelMedium extends BytelessMedium {
  private long read;
  private long written;
  private double probeNanosPerByte;
  private double probedNanos;

  ModelMedium(long capacityBytes, WriteCost writeCost) {
    super(capacityBytes, writeCost);
  }

  /** Bytes read since this was last asked. */
  long takeRead() {
    long taken = read;
    read = 0;
    return taken;
  }

  /** Bytes written since this was last asked. */
  long takeWritten() {
    long taken = written;
    written = 0;
    return taken;
  }

  /**
   * Counts the reads from now on as a prober's, who measures how long they take, and not as
   * clients'.
   *
   * @param nanosPerByte that they take
   */
  void beginProbes(double nanosPerByte) {
    probeNanosPerByte = nanosPerByte;
  }

  /** Counts reads as clients' again. */
  void endProbes() {
    probeNanosPerByte = 0;
  }

  /** What probes took, on the clock of the prober. */
  long probedNanos() {
    return (long) probedNanos;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) {
    super.read(offset, dst, length);
    if (probeNanosPerByte > 0) {
      probedNanos += length * probeNanosPerByte;
    } else {
      read += length;
    }
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) {
    super.write(offset, src, srcPosition, length);
    written += length;
  }

  @Override
  public String describe() {
    return "modelled NVRAM of " + capacityBytes() + " bytes";
  }
}
