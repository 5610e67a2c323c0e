// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.regions.AppendBuffer;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.Validate;

/**
 * The buffer of the regions, for Lincheck: room for two blocks, which one thread appends and any
 * thread reads. A block is read once it is filled, as blocks are that the index names. Half of two
 * blocks is {@link #TORN}.
 */
public class BufferCalls {
  static final int NONE = -1;
  static final int GIVEN_UP = -2;
  static final int TORN = -3;

  private static final int BLOCKS = 2;
  private static final int LENGTH = 64;

  private final AppendBuffer buffer = new AppendBuffer(BLOCKS * LENGTH, Long.BYTES);

  /** How many blocks room was made for. Of the appending thread. */
  private int begun;

  /** How many blocks are filled. */
  private volatile int filled;

  /** Gives up the block whose place the next one takes. */
  @Operation(nonParallelGroup = "append")
  public boolean begin() {
    if (begun > filled) {
      return false;
    }
    begun++;
    return buffer.makeRoom((long) begun * LENGTH, (long) filled * LENGTH);
  }

  @Operation(nonParallelGroup = "append")
  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread appends
  public boolean fill(@Param(gen = IntGen.class, conf = "1:100") int value) {
    if (begun == filled) {
      return false;
    }
    buffer.copyIn((long) filled * LENGTH, bytes(value), 0, LENGTH);
    filled++;
    return true;
  }

  @Operation
  public int read(@Param(gen = IntGen.class, conf = "0:3") int block) {
    if (block >= filled) {
      return NONE;
    }
    ByteBuffer read = ByteBuffer.allocate(LENGTH);
    if (!buffer.copyOut((long) block * LENGTH, 0, read, 0, LENGTH)) {
      return GIVEN_UP;
    }
    int first = read.get(0);
    return read.equals(bytes(first)) ? first : TORN;
  }

  private static ByteBuffer bytes(int value) {
    byte[] bytes = new byte[LENGTH];
    Arrays.fill(bytes, (byte) value);
    return ByteBuffer.wrap(bytes);
  }

  @Validate
  public void isWhole() {
    if (begun - filled > 1) {
      throw new IllegalStateException(begun + " begun, " + filled + " filled");
    }
  }

  /** What it must look like. */
  public static class Specification {
    private final List<Integer> values = new ArrayList<>();
    private int begun;

    public boolean begin() {
      boolean begins = begun == values.size();
      begun += begins ? 1 : 0;
      return begins;
    }

    public boolean fill(int value) {
      return begun > values.size() && values.add(value);
    }

    public int read(int block) {
      if (block >= values.size()) {
        return NONE;
      }
      return block < begun - BLOCKS ? GIVEN_UP : values.get(block);
    }
  }
}
