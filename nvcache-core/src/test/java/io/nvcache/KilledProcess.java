// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.RestoreReport;
import io.nvcache.control.RestoreReport.State;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Uses a flash cache by eight threads until it is killed: looks blocks up, compares every byte,
 * offers what is missing, drops files and creates others. Says what was restored, and when some was
 * written, and ends by itself only if something is wrong.
 */
final class KilledProcess {
  static final int CAPACITY = 8 << 20;
  static final int PAGE = 4096;

  /** Said once so much is written that the next process must find blocks. */
  static final String WRITTEN = "written";

  private static final long ENOUGH_WRITTEN_BYTES = 2 << 20;
  private static final int THREADS = 8;
  private static final int LASTING_FILES = 6;
  private static final int BLOCKS = 300;

  private KilledProcess() {}

  /** Opens the cache on a file, and names the files that all processes know. */
  static BlockCache open(Path file) {
    BlockCache cache =
        BlockCache.builder()
            .flash(file, CAPACITY)
            .maxBlockBytes(PAGE)
            .expectedBlockBytes(PAGE)
            .maxMediumFailures(Integer.MAX_VALUE)
            .admission(AdmissionPresets.admitAll())
            .build();
    for (int name = 0; name < LASTING_FILES; name++) {
      cache.identify(name, identity(name));
    }
    return cache;
  }

  private static FileIdentity identity(long bytesOf) {
    return FileIdentity.of("killed", Long.toString(bytesOf));
  }

  /** Looks all blocks up that may have been restored, and returns how many there were. */
  static int countHits(BlockCache cache) {
    int hits = 0;
    for (int name = 0; name < LASTING_FILES; name++) {
      for (int block = 0; block < BLOCKS; block++) {
        hits += hits(cache, name, name, (long) block * PAGE) ? 1 : 0;
      }
    }
    return hits;
  }

  /** Every third one fills a page, and has no header. */
  private static int length(long bytesOf, long offset) {
    return offset / PAGE % 3 == 0 ? PAGE : TestBlock.length(bytesOf, offset, 64, PAGE - 8);
  }

  private static boolean hits(BlockCache cache, long fileId, long bytesOf, long offset) {
    ByteBuffer dst = ByteBuffer.allocate(PAGE);
    boolean hit = cache.get(fileId, offset, dst) != BlockCache.MISS;
    if (hit) {
      TestBlock.assertMatches(dst.flip(), bytesOf, offset, length(bytesOf, offset));
    }
    return hit;
  }

  /** Takes the file. */
  public static void main(String[] arguments) throws InterruptedException {
    BlockCache cache = open(Path.of(arguments[0]));
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      new Thread(() -> use(cache, thread)).start();
    }
    while (cache.control().restore().state() == State.RESTORING) {
      Thread.sleep(1);
    }
    RestoreReport report = cache.control().restore();
    System.out.println(report.restoredBlocks());
    System.out.flush();
    boolean told = false;
    while (true) {
      if (!told && cache.stats().deviceWrittenBytes() >= ENOUGH_WRITTEN_BYTES) {
        told = true;
        System.out.println(WRITTEN);
        System.out.flush();
      }
      Thread.sleep(10);
      if (cache.control().health().checksumFailures() != 0) {
        System.out.println("damaged blocks, of " + report);
        Runtime.getRuntime().halt(1);
      }
    }
  }

  private static void use(BlockCache cache, int thread) {
    try {
      SplittableRandom random = new SplittableRandom(ThreadLocalRandom.current().nextLong());
      // Files of this thread, which no other process knows: dropped and created.
      long ownId = 1000L * (thread + 1);
      long own = random.nextLong();
      cache.identify(ownId, identity(own));
      while (true) {
        boolean lasting = random.nextInt(4) > 0;
        long fileId = lasting ? random.nextInt(LASTING_FILES) : ownId;
        long bytesOf = lasting ? fileId : own;
        long offset = (long) random.nextInt(BLOCKS) * PAGE;
        if (!hits(cache, fileId, bytesOf, offset)) {
          ByteBuffer bytes = TestBlock.of(bytesOf, offset, length(bytesOf, offset));
          cache.offer(fileId, offset, bytes, Source.READ);
        }
        if (random.nextInt(2000) == 0) {
          cache.invalidateFile(ownId);
          own = random.nextLong();
          cache.identify(++ownId, identity(own));
        }
      }
    } catch (Throwable wrong) {
      wrong.printStackTrace(System.out);
      System.out.flush();
      Runtime.getRuntime().halt(1);
    }
  }
}
