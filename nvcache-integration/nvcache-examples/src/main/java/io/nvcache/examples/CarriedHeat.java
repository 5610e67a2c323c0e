// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A compaction that leaves the hot blocks of its output cached, as those of its input were. */
public final class CarriedHeat {
  static final int BLOCK_BYTES = 4096;
  private static final int BLOCKS = 64;
  private static final int HOT_BLOCKS = 4;

  private CarriedHeat() {}

  /** Compacts a file of which few blocks are hot, and counts how many of these are cached then. */
  public static void main(String[] arguments) {
    List<ByteBuffer> input = new ArrayList<>();
    for (int i = 0; i < BLOCKS; i++) {
      input.add(ByteBuffer.allocate(BLOCK_BYTES).putInt(0, i));
    }
    try (BlockCache cache =
        BlockCache.builder().nativeMemory(4 << 20).admission(AdmissionPresets.admitAll()).build()) {
      for (int i = 0; i < HOT_BLOCKS; i++) {
        cache.offer(1, (long) i * BLOCK_BYTES, input.get(i).duplicate(), Source.READ);
        cache.get(1, (long) i * BLOCK_BYTES, ByteBuffer.allocate(BLOCK_BYTES));
      }
      compact(cache, 1, input, 2);
      System.out.println("hot blocks of the output: " + cache.control().countBlocks(2));
    }
  }

  // region compaction
  static List<ByteBuffer> compact(
      BlockCache cache, long inputId, List<ByteBuffer> input, long outputId) {
    Rewrite rewrite = cache.rewrite();
    List<ByteBuffer> output = new ArrayList<>();
    for (int i = 0; i < input.size(); i++) {
      long offset = (long) i * BLOCK_BYTES;
      try (PinnedBlock cached = rewrite.read(inputId, offset)) { // Null: read your own file.
        output.add(merged(cached == null ? input.get(i) : cached.buffer()));
      }
      rewrite.wrote(outputId, offset, BLOCK_BYTES); // An output block is complete.
    }
    // The commit: from here on the store reads the output. What follows can wait for a thread.
    cache.invalidateFile(inputId);
    rewrite.carry((fileId, offset, length) -> output.get((int) (offset / BLOCK_BYTES)).duplicate());
    return output;
  }

  // endregion compaction

  private static ByteBuffer merged(ByteBuffer block) {
    return ByteBuffer.allocate(BLOCK_BYTES).put(block.duplicate()).flip();
  }
}
