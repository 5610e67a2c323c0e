// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.Source;
import io.nvcache.tiered.BlockLoader;
import io.nvcache.tiered.TieredBlockCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads blocks that change when they are forgotten, and does as it likes. */
final class HostileLoader implements BlockLoader {
  /** What a load may throw at who asked for the block. */
  static final Set<String> FAULTS =
      Steps.or(
          Steps.or(Steps.PLANTED, Steps.NULL),
          Set.of("IOException", "InternalError", "IllegalStateException", "WrongThreadException"));

  private record Key(long fileId, long offset) {}

  private final World world;
  private final boolean vanishing;
  private final Map<Key, Integer> versions = new HashMap<>();
  private @Nullable TieredBlockCache cache;
  private boolean inside;
  private boolean closedInside;

  /**
   * @param vanishing whether it gives buffers whose memory is gone
   */
  HostileLoader(World world, boolean vanishing) {
    this.world = world;
    this.vanishing = vanishing;
  }

  void of(TieredBlockCache cache) {
    this.cache = cache;
  }

  boolean hasClosedTheCache() {
    return closedInside;
  }

  /** The block as it is now. */
  synchronized byte[] truth(long fileId, long offset) {
    int version = versions.getOrDefault(new Key(fileId, offset), 0);
    int length = 1 + (int) ((fileId * 31 + offset * 7 + version) & 0x3FF);
    return Contents.of(fileId, offset, version, length);
  }

  synchronized void changed(long fileId, long offset) {
    versions.merge(new Key(fileId, offset), 1, Integer::sum);
  }

  synchronized void fileChanged(long fileId) {
    for (int i = 0; i < TieredCalls.BLOCKS; i++) {
      changed(fileId, i * 512L);
    }
  }

  @Override
  public @Nullable ByteBuffer load(long fileId, long offset) throws IOException {
    byte[] truth = truth(fileId, offset);
    return switch (world.random.nextInt(24)) {
      case 0 -> null;
      case 1 -> ByteBuffer.allocate(0);
      case 2 -> throw Planted.exception();
      case 3 -> throw Planted.error();
      case 4 -> throw Planted.ioException();
      case 5 -> throw Planted.mute();
      case 6 -> vanishing ? gone(truth) : null;
      case 7 -> ByteBuffer.allocateDirect(truth.length).put(0, truth);
      case 8 ->
          ByteBuffer.allocate(truth.length + 64)
              .position(32)
              .limit(32 + truth.length)
              .put(32, truth);
      case 9, 10, 11 -> {
        reenter(fileId, offset);
        yield ByteBuffer.wrap(truth(fileId, offset));
      }
      default -> ByteBuffer.wrap(truth);
    };
  }

  /** A buffer whose bytes can't be read, if the dice give one. */
  private @Nullable ByteBuffer gone(byte[] truth) {
    HostileBuffer given = world.buffers().source(world.random, world, truth);
    return given.lacks(given.remaining()) ? given.buffer() : ByteBuffer.wrap(truth);
  }

  @Override
  public @Nullable ByteBuffer load(long fileId, long offset, ByteBuffer room) throws IOException {
    byte[] truth = truth(fileId, offset);
    if (truth.length == room.remaining() && world.random.nextBoolean()) {
      return room.put(truth).flip();
    }
    return load(fileId, offset);
  }

  /** Uses the cache that waits for it. */
  private void reenter(long fileId, long offset) throws IOException {
    TieredBlockCache own = cache;
    if (own == null || inside) {
      return;
    }
    inside = true;
    try {
      switch (world.random.nextInt(8)) {
        case 0 -> own.get(fileId, offset, Source.READ);
        case 1, 2 -> own.get(fileId, offset + 512, Source.READ);
        case 3 -> own.offer(fileId, offset, ByteBuffer.wrap(truth(fileId, offset)), Source.FLUSH);
        case 4, 5 -> {
          changed(fileId, offset);
          boolean unused = own.invalidate(fileId, offset);
        }
        case 6 -> {
          fileChanged(fileId);
          own.invalidateFile(fileId);
        }
        default -> {
          if (world.random.nextInt(4) == 0) {
            own.close();
            closedInside = true;
          }
        }
      }
    } finally {
      inside = false;
    }
  }
}
