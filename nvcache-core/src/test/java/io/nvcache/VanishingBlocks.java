// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.tiered.DramValues;
import io.nvcache.tiered.TieredBlockCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/**
 * Has a loader give mappings of a file that is cut short before, or after, the cache takes the
 * block. A separate program, since a fault on a mapping may end the JVM. Arguments: the file and
 * the kind of DRAM values.
 */
final class VanishingBlocks {
  private static final int LENGTH = 16 << 10;
  private static final int ROUNDS = 300;
  private static final int WARM_UP = 20_000;

  private final FileChannel channel;
  private final TieredBlockCache cache;
  private boolean cutBefore;
  private int wrong;
  private int hits;
  private int faults;

  private VanishingBlocks(FileChannel channel, DramValues kind) {
    this.channel = channel;
    this.cache =
        TieredBlockCache.builder(64 << 20, this::load)
            .dramValues(kind)
            .secondTier(
                BlockCache.builder()
                    .nativeMemory(64 << 20)
                    .policies(PolicyPreset.ADMIT_ALL)
                    .smallBypassDramBytes(0)
                    .build())
            .build();
  }

  public static void main(String[] arguments) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            Path.of(arguments[0]),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      new VanishingBlocks(channel, DramValues.valueOf(arguments[1])).run();
    }
  }

  private void run() throws IOException {
    for (int i = 0; i < WARM_UP; i++) {
      cache.offer(1, i, ByteBuffer.allocate(LENGTH), Source.READ);
    }
    for (int i = 0; i < 2 * ROUNDS; i++) {
      cutBefore = i % 2 == 0;
      try {
        look(cache.get(2, i, Source.READ));
      } catch (InternalError | IOException fault) {
        faults++;
      }
      if (!cutBefore) {
        channel.truncate(0);
      }
      if (cache.stats().dramHits() >= 0 && !cutBefore) {
        look(cache.get(2, i, Source.READ));
      }
    }
    System.out.printf(Locale.ROOT, "wrong=%d hits=%d faults=%d%n", wrong, hits, faults);
    cache.close();
  }

  private void look(ByteBuffer block) {
    hits++;
    for (int i = 0; i < LENGTH; i++) {
      if (block.get(i) != 7) {
        wrong++;
        return;
      }
    }
  }

  private ByteBuffer load(long fileId, long offset) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
    while (bytes.hasRemaining()) {
      bytes.put((byte) 7);
    }
    channel.write(bytes.flip(), 0);
    MappedByteBuffer mapping = channel.map(FileChannel.MapMode.READ_ONLY, 0, LENGTH);
    if (cutBefore) {
      channel.truncate(0);
    }
    return mapping;
  }
}
