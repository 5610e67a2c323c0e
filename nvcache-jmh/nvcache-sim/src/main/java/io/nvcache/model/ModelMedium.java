// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * A medium that keeps no bytes but counts those the engine moves, so that the model can charge for
 * them.
 */
final class ModelMedium implements Medium {
  private static final int ALIGNMENT_BYTES = 256;

  private final long capacityBytes;
  private final WriteCost writeCost;
  private long read;
  private long written;
  private double probeNanosPerByte;
  private double probedNanos;

  ModelMedium(long capacityBytes, WriteCost writeCost) {
    this.capacityBytes = capacityBytes;
    this.writeCost = writeCost;
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
   * From now on reads are no client's but somebody's who looks at his clock to see how fast they
   * are.
   *
   * @param nanosPerByte that they take
   */
  void beginProbes(double nanosPerByte) {
    probeNanosPerByte = nanosPerByte;
  }

  /** Reads are clients' again. */
  void endProbes() {
    probeNanosPerByte = 0;
  }

  /** What probes took, on the clock of whoever makes them. */
  long probedNanos() {
    return (long) probedNanos;
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public int alignmentBytes() {
    return ALIGNMENT_BYTES;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    if (probeNanosPerByte > 0) {
      probedNanos += length * probeNanosPerByte;
    } else {
      read += length;
    }
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    written += length;
  }

  @Override
  public void persist(long offset, long length) {}

  @Override
  public long address(long offset, long length) {
    return 0;
  }

  @Override
  public Durability durability() {
    return Durability.NONE;
  }

  @Override
  public WriteCost writeCost() {
    return writeCost;
  }

  @Override
  public String describe() {
    return "modelled NVRAM of " + capacityBytes + " bytes";
  }

  @Override
  public void close() {}
}
