// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.regions.AppendBuffer;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A reader of a block in the buffer of the regions, against the writer of a block that takes its
 * place there. r1: 0 it was not held, 1 it was copied, 2 what was copied is another block's.
 */
@JCStressTest
@Outcome(id = "0", expect = Expect.ACCEPTABLE, desc = "given up before it was copied")
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "copied before it was given up")
@Outcome(expect = Expect.FORBIDDEN, desc = "another block's bytes")
@State
public class AppendBufferJcstress {
  private static final int LENGTH = 64;

  /** By generation: the bytes of the block. */
  private static final ByteBuffer[] BLOCKS = {block((byte) 1), block((byte) 2)};

  private final AppendBuffer buffer = new AppendBuffer(LENGTH, Long.BYTES);
  private final ByteBuffer read = ByteBuffer.allocate(LENGTH);

  public AppendBufferJcstress() {
    append(0);
  }

  private static ByteBuffer block(byte value) {
    ByteBuffer block = ByteBuffer.allocate(LENGTH);
    while (block.hasRemaining()) {
      block.put(value);
    }
    return block;
  }

  private void append(int generation) {
    long position = (long) generation * LENGTH;
    if (!buffer.makeRoom(position + LENGTH, position)) {
      throw new IllegalStateException("no room for generation " + generation);
    }
    buffer.copyIn(position, BLOCKS[generation], 0, LENGTH);
  }

  @Actor
  public void read(I_Result result) {
    if (buffer.copyOut(0, 0, read, 0, LENGTH)) {
      result.r1 = read.clear().equals(BLOCKS[0].duplicate().clear()) ? 1 : 2;
    }
  }

  @Actor
  public void overwrite() {
    append(1);
  }
}
