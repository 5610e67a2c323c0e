// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.medium.MappedFileMedium;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Cuts the file of a cache short while it is in use, and continues to use it. A separate program,
 * since a fault on a mapping may end the JVM. Arguments: the file, the checksum, the length of
 * blocks, and whether the cache may notice ({@code watched}) or has to bear every fault ({@code
 * unwatched}).
 */
final class TruncatedMapping {
  private static final int WARM_UP = 60_000;
  private static final int FAULTS = 2_000;
  private static final int BLOCKS = 16;
  private static final long FILE = 1;

  private final BlockCache cache;
  private final int length;
  private long hits;
  private long wrong;
  private long thrown;
  private long pinFaults;
  private PinnedBlock pin;

  private TruncatedMapping(BlockCache cache, int length) {
    this.cache = cache;
    this.length = length;
  }

  public static void main(String[] arguments) throws Exception {
    Path path = Path.of(arguments[0]);
    int length = Integer.parseInt(arguments[2]);
    boolean watched = arguments[3].equals("watched");
    AtomicLong now = new AtomicLong();
    BlockCacheBuilder builder =
        BlockCache.builder()
            .medium(MappedFileMedium.create(path, 4 << 20))
            .maxBlockBytes(64 << 10)
            .expectedBlockBytes(4096)
            .testing(
                TestHook.hashSeed(20261123)) // Or some seed has one of the blocks displace another.
            .admission(AdmissionPresets.admitAll())
            .eviction(FifoEviction::new)
            .maxMediumFailures(watched ? 16 : Integer.MAX_VALUE)
            .testing(TestHook.nanoTime(now::get))
            .maintainedByCaller();
    if (arguments[1].equals("ENCRYPTED")) {
      builder.encrypted();
    } else {
      builder.checksum(Checksum.valueOf(arguments[1]));
    }
    try (BlockCache cache = builder.build()) {
      TruncatedMapping run = new TruncatedMapping(cache, length);
      for (int i = 0; i < WARM_UP; i++) {
        run.offer(BLOCKS + i);
      }
      for (int i = 0; i < BLOCKS; i++) {
        run.offer(i);
      }
      for (int i = 0; i < WARM_UP; i++) {
        run.get(i % BLOCKS); // Until it is compiled code that meets the fault.
      }
      if (run.hits != WARM_UP) {
        throw new AssertionError("hits before: " + run.hits);
      }
      run.pin = cache.pin(FILE, 0);
      for (int i = 0; i < WARM_UP; i++) {
        run.readPin(); // Likewise.
      }
      if (run.pinFaults + run.wrong > 0) {
        throw new AssertionError("a pin did not show its block");
      }
      try (FileChannel file = FileChannel.open(path, StandardOpenOption.WRITE)) {
        file.truncate(0);
      }
      if (watched) {
        now.addAndGet(1_000_000_000L);
        cache.control().maintain();
      }
      run.hits = 0;
      for (int i = 0; i < FAULTS; i++) {
        run.step(i);
        run.readPin();
      }
      run.pin.close();
      System.out.println(
          "hits="
              + run.hits
              + " wrong="
              + run.wrong
              + " thrown="
              + run.thrown
              + " pinFaults="
              + run.pinFaults
              + " failures="
              + cache.stats().mediumFailures()
              + " checksums="
              + cache.control().health().checksumFailures()
              + " inService="
              + cache.control().health().inService()
              + " reason="
              + cache.control().health().reason());
    }
  }

  private void step(int i) {
    try {
      get(i % BLOCKS);
      if (i % 7 == 0) {
        offer(BLOCKS + i);
      }
      if (i % 11 == 0) {
        PinnedBlock pin = cache.pin(FILE, offset(i % BLOCKS));
        if (pin != null) {
          pin.close();
        }
      }
    } catch (InternalError | RuntimeException e) {
      thrown++;
    }
  }

  /** By both ways that copy; what is read without an error must be the block's. */
  private void readPin() {
    ByteBuffer dst = ByteBuffer.allocate(length);
    try {
      pin.copyTo(dst);
      wrong += TestBlock.matches(dst.flip(), FILE, 0, length) ? 0 : 1;
    } catch (InternalError gone) {
      pinFaults++;
    }
    try {
      wrong += pin.getLong(8) == TestBlock.of(FILE, 0, length).getLong(8) ? 0 : 1;
    } catch (InternalError gone) {
      pinFaults++;
    }
  }

  private static long offset(long block) {
    return block << 16;
  }

  private void offer(long block) {
    cache.offer(FILE, offset(block), TestBlock.of(FILE, offset(block), length), Source.READ);
  }

  private void get(long block) {
    ByteBuffer dst = ByteBuffer.allocate(length);
    if (cache.get(FILE, offset(block), dst) != BlockCache.MISS) {
      hits++;
      if (!TestBlock.matches(dst.flip(), FILE, offset(block), length)) {
        wrong++;
      }
    }
  }
}
