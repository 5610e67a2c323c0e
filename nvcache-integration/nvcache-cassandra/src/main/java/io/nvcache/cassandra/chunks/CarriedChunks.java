// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import io.nvcache.Rewrite;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.cassandra.tier.FileKey;
import io.nvcache.cassandra.tier.Tier;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the hot chunks of a compaction's outputs back, through its own channels. A file is read
 * while its life continues, and only if its path leads to it: as long as a file lives, no other one
 * has its inode. For one thread.
 */
final class CarriedChunks implements Rewrite.OutputReader {
  private final Map<Long, HotOutput> outputs;
  private final Tier tier;
  private final BooleanSupplier goesOn;
  private final IntConsumer pace;

  /**
   * Reads these outputs.
   *
   * @param goesOn whether more is to be read
   * @param pace called with the number of bytes before they are read
   */
  CarriedChunks(
      Collection<HotOutput> outputs, Tier tier, BooleanSupplier goesOn, IntConsumer pace) {
    this.outputs = outputs.stream().collect(Collectors.toMap(HotOutput::id, Function.identity()));
    this.tier = tier;
    this.goesOn = goesOn;
    this.pace = pace;
  }

  @Override
  public @Nullable ByteBuffer read(long fileId, long offset, int lengthBytes) {
    HotOutput output = outputs.get(fileId);
    if (output != null && goesOn.getAsBoolean() && isLive(output)) {
      pace.accept(lengthBytes);
      ByteBuffer chunk = read(output, offset, lengthBytes);
      if (chunk != null && output.isCompressed() && !ChunkSums.fits(chunk)) {
        tier.bypasses().count(Bypass.WRONG_SUM);
        return null;
      }
      if (chunk != null && isLive(output)) {
        return chunk;
      }
    }
    tier.bypasses().count(Bypass.HEAT_FILE_GONE);
    return null;
  }

  private boolean isLive(HotOutput output) {
    return tier.incarnations().isLive(output.fileKey(), output.id());
  }

  private static @Nullable ByteBuffer read(HotOutput output, long offset, int lengthBytes) {
    ByteBuffer chunk = ByteBuffer.allocate(lengthBytes);
    try (FileChannel file = FileChannel.open(output.path(), StandardOpenOption.READ)) {
      while (chunk.hasRemaining()) {
        if (file.read(chunk, offset + chunk.position()) < 0) {
          return null;
        }
      }
    } catch (IOException e) {
      return null; // Compacted in its turn, and deleted.
    }
    boolean sameFile = FileKey.of(-1, output.path().toString()).equals(output.fileKey());
    return sameFile ? chunk.flip() : null;
  }
}
