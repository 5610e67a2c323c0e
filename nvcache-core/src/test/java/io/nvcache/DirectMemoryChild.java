// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.MissReason;
import io.nvcache.control.RestoreReport;
import io.nvcache.medium.KeyFile;
import io.nvcache.tiered.BlockLoader;
import io.nvcache.tiered.DramValues;
import io.nvcache.tiered.TieredBlockCache;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import javax.crypto.Cipher;

/**
 * Opens, fills, reads, closes and opens caches again in a JVM all of whose direct memory other code
 * has taken, and prints how often the whole heap was collected meanwhile. Ends with an exception if
 * a block is missing or wrong.
 */
final class DirectMemoryChild {
  private static final int LENGTH = 4 << 10;
  private static final int BLOCKS = 300;
  private static final int READERS = 8;
  private static final long CAPACITY = 8 << 20;
  private static final long FILE = 1;

  private DirectMemoryChild() {}

  public static void main(String[] args) throws Exception {
    Cipher.getInstance("AES/GCM/NoPadding"); // The JDK reads a file for its first one.
    List<ByteBuffer> taken = takeAllDirectMemory();
    // Of a thread that has read a file before, the JDK keeps a buffer.
    FutureTask<Void> all =
        new FutureTask<>(
            () -> {
              runAll(Path.of(args[0]));
              return null;
            });
    new Thread(all).start();
    all.get();
    Reference.reachabilityFence(taken);
  }

  private static void runAll(Path directory) throws IOException {
    long before = wholeCollections();
    run("native", BlockCache.builder().nativeMemory(CAPACITY).checksum(Checksum.CRC32C));
    run("encrypted", BlockCache.builder().nativeMemory(CAPACITY).encrypted());
    run("mapped", BlockCache.builder().mappedFile(directory.resolve("mapped"), CAPACITY));
    Path regions = directory.resolve("regions");
    run("regions", BlockCache.builder().flash(regions, CAPACITY));
    restart(regions);
    run("in place", inPlace(directory.resolve("in-place")));
    Path key = directory.resolve("key");
    try (FileOutputStream out = new FileOutputStream(key.toFile())) {
      out.write(new byte[32]);
    }
    run(
        "sealed",
        BlockCache.builder()
            .flash(directory.resolve("sealed"), CAPACITY)
            .encrypted(new KeyFile(key)));
    run("encrypted in place", inPlace(directory.resolve("encrypted")).encrypted());
    runTiers();
    System.out.println("collections: " + (wholeCollections() - before));
  }

  private static BlockCacheBuilder inPlace(Path file) {
    return BlockCache.builder().flash(file, CAPACITY).placement(BlockPlacement.IN_PLACE);
  }

  private static List<ByteBuffer> takeAllDirectMemory() {
    List<ByteBuffer> taken = new ArrayList<>();
    for (int bytes = 8 << 20; bytes > 0; ) {
      if (freeDirectBytes() < bytes) { // Or the JDK would collect and wait.
        bytes /= 2;
      } else {
        taken.add(ByteBuffer.allocateDirect(bytes));
      }
    }
    return taken;
  }

  private static long freeDirectBytes() {
    return Long.parseLong(
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue())
        - ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .mapToLong(BufferPoolMXBean::getTotalCapacity)
            .sum();
  }

  /** With the serial collector: explicit ones, and those for which the heap was too small. */
  private static long wholeCollections() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .filter(bean -> bean.getName().equals("MarkSweepCompact"))
        .mapToLong(GarbageCollectorMXBean::getCollectionCount)
        .sum();
  }

  private static void run(String what, BlockCacheBuilder builder) {
    // Of usual blocks the index would hold fewer, and now and then displace one of these.
    builder.policies(PolicyPreset.ADMIT_ALL).expectedBlockBytes(LENGTH);
    try (BlockCache cache = builder.build()) {
      cache.identify(FILE, new FileIdentity(7, FILE));
      fill(cache);
      readAll(cache);
      check(what, cache);
    }
  }

  /** Evicts more from a tier in direct buffers than these may take before they are collected. */
  private static void runTiers() throws IOException {
    BlockLoader loader =
        (fileId, offset) -> ByteBuffer.wrap(TestBlock.of(fileId, offset, LENGTH).array().clone());
    try (TieredBlockCache tiers =
        TieredBlockCache.builder(1 << 20, loader)
            .dramValues(DramValues.DIRECT)
            .secondTier(BlockCache.builder().nativeMemory(CAPACITY).build())
            .build()) {
      int direct = 0;
      for (int block = 0; block < 30 * BLOCKS; block++) {
        ByteBuffer got = tiers.get(FILE, offset(block), LENGTH, Source.READ);
        direct += got.isDirect() ? 1 : 0;
        TestBlock.assertMatches(got, FILE, offset(block), LENGTH);
        got = tiers.get(FILE, offset(block), LENGTH, Source.READ);
        TestBlock.assertMatches(got, FILE, offset(block), LENGTH);
      }
      require(direct > BLOCKS, "only " + direct + " blocks in direct memory");
      require(tiers.stats().dramHits() > 25 * BLOCKS, tiers.stats().toString());
    }
    System.out.println("tiers held");
  }

  private static void restart(Path regions) {
    try (BlockCache cache = BlockCache.builder().flash(regions, CAPACITY).build()) {
      cache.identify(FILE, new FileIdentity(7, FILE));
      while (cache.control().restore().state() == RestoreReport.State.RESTORING) {
        Thread.onSpinWait();
      }
      int hits = 0;
      ByteBuffer dst = ByteBuffer.allocate(LENGTH);
      for (int block = 0; block < BLOCKS; block++) {
        hits += cache.get(FILE, offset(block), dst.clear()) == LENGTH ? 1 : 0;
      }
      require(hits > BLOCKS / 2, "restart: " + hits + " hits");
      check("restart", cache);
    }
  }

  private static long offset(int block) {
    return (long) block * LENGTH;
  }

  private static void fill(BlockCache cache) {
    for (int block = 0; block < BLOCKS; block++) {
      ByteBuffer bytes = TestBlock.of(FILE, offset(block), LENGTH);
      OfferResult result = cache.offer(FILE, offset(block), bytes, Source.READ);
      while (result == OfferResult.MEDIUM_BUSY) {
        Thread.yield();
        result = cache.offer(FILE, offset(block), bytes, Source.READ);
      }
      require(result == OfferResult.ADMITTED, result + " of " + block);
    }
  }

  private static void readAll(BlockCache cache) {
    List<CompletableFuture<Void>> readers = new ArrayList<>();
    for (int reader = 0; reader < READERS; reader++) {
      int seed = reader;
      readers.add(
          CompletableFuture.runAsync(
              () -> read(cache, new SplittableRandom(seed)), task -> new Thread(task).start()));
    }
    readers.forEach(CompletableFuture::join);
  }

  private static void read(BlockCache cache, SplittableRandom random) {
    ByteBuffer dst = ByteBuffer.allocate(LENGTH);
    List<PinnedBlock> held = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      long at = offset(random.nextInt(BLOCKS));
      int part = random.nextInt(LENGTH);
      require(cache.get(FILE, at, dst.clear()) == LENGTH, "a miss");
      TestBlock.assertMatches(dst.flip(), FILE, at, LENGTH);
      require(cache.getRange(FILE, at, part, dst.clear()) == LENGTH - part, "a miss of a part");
      PinnedBlock pin = i % 2 == 0 ? cache.pin(FILE, at) : cache.pinOrCopy(FILE, at);
      require(pin != null, "no pin");
      TestBlock.assertMatches(pin.buffer(), FILE, at, LENGTH);
      held.add(pin);
      if (held.size() > 4) { // Within the bound of what pins may hold.
        held.remove(0).close();
      }
    }
    held.forEach(PinnedBlock::close);
  }

  private static void check(String what, BlockCache cache) {
    CacheHealth health = cache.control().health();
    require(health.inService(), what + " is out of service");
    require(health.checksumFailures() == 0, what + ": checksums");
    require(cache.stats().mediumFailures() == 0, what + ": failures of the medium");
    require(
        cache.control().ledger().misses(MissReason.NO_DIRECT_MEMORY) == 0, what + ": no memory");
    System.out.println(what + " held");
  }

  private static void require(boolean condition, String otherwise) {
    if (!condition) {
      throw new AssertionError(otherwise);
    }
  }
}
