// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.regions.BlockRead;
import io.nvcache.memory.AlignedBuffer;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A thread that joins another's read of a block, against that other, which reads another block into
 * the same buffer as soon as no one uses it. r1: 0 not joined, 1 the block, 2 another block's bytes.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "not joined")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "joined, and copied")
@Outcome(expect = Expect.FORBIDDEN, desc = "another block's bytes")
@State
public class BlockReadJcstress {
  private static final int LENGTH = 64;
  private static final int HEADER = 32;

  private final BlockRead read = new BlockRead(AlignedBuffer.allocate(2 * LENGTH, LENGTH));
  private final ByteBuffer copy = ByteBuffer.allocate(LENGTH);

  /** Reads the block that has a number for its bytes; returns whether the buffer is free again. */
  private boolean readBlock(int number) {
    read.begin(number, number, 0, LENGTH);
    for (int at = 0; at < LENGTH; at++) {
      read.block().whole().put(HEADER + at, (byte) number);
    }
    read.succeed(0);
    return read.leave();
  }

  @Actor
  public void owner() {
    if (readBlock(1)) {
      readBlock(2);
    }
  }

  @Actor
  public void joiner(I_Result result) {
    if (!read.join()) {
      return;
    }
    if (read.isOf(1, 1, 0, LENGTH) && read.await()) {
      read.copyOut(0, copy, 0, LENGTH);
      result.r1 = 1;
      for (int at = 0; at < LENGTH; at++) {
        if (copy.get(at) != 1) {
          result.r1 = 2;
        }
      }
    }
    read.leave();
  }
}
