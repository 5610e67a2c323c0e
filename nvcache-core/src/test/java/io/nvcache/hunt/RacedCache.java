// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.Checksum;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * A cache for a race, full of blocks of file 1 whose bytes follow from their places: what two
 * threads do to it in no order needs no model.
 */
final class RacedCache implements AutoCloseable {
  static final int BLOCKS = 40;
  static final int LENGTH = 3000;

  final BlockCache cache;
  private final World world;

  RacedCache(World world) {
    this.world = world;
    BlockCacheBuilder builder =
        Builds.small(world.random).maintainedByCaller().admission(AdmissionPresets.admitAll());
    switch (world.random.nextInt(5)) {
      case 0 -> builder.nativeMemory(Builds.CAPACITY).encrypted();
      case 1 -> builder.nativeMemory(Builds.CAPACITY).checksum(Checksum.CRC32C);
      case 2 -> builder.mappedFile(world.newFile(), Builds.CAPACITY);
      case 3 -> builder.mappedFile(world.newFile(), Builds.CAPACITY).checksum(Checksum.NONE);
      default -> builder.nativeMemory(Builds.CAPACITY);
    }
    this.cache = builder.build();
    for (long offset = 0; offset < BLOCKS; offset++) {
      OfferResult unused = cache.offer(1, offset, ByteBuffer.wrap(block(offset)), Source.READ);
    }
  }

  static byte[] block(long offset) {
    return Contents.of(1, offset, 0, LENGTH);
  }

  /** Whatever was done to buffers: no block is another one, and no medium is to blame. */
  void requireWell() {
    ByteBuffer copy = ByteBuffer.allocate(LENGTH);
    for (long offset = 0; offset < BLOCKS; offset++) {
      int length = cache.get(1, offset, copy.clear());
      world.require(
          length == BlockCache.MISS || Arrays.equals(copy.array(), block(offset)), "WRONG BYTES");
    }
    world.require(
        cache.control().health().inService(), "out of service: " + cache.control().health());
    world.require(cache.stats().mediumFailures() == 0, "blames its medium");
    world.require(cache.control().health().checksumFailures() == 0, "finds its medium corrupt");
  }

  @Override
  public void close() {
    cache.close();
  }
}
