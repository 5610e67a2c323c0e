// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.medium.CrashDisk;
import io.nvcache.medium.KeySource;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Edits what a cache left on its medium, makes the sums right again, and lets caches live on it:
 * nothing may come of it but misses, and not for good.
 */
final class CraftedMedium {
  static final int CAPACITY = 1 << 20;

  /** A life on an edited medium allocates less: it is in proportion to the medium and the index. */
  static final long MOST_ALLOCATED_BYTES = 64 << 20;

  private static final int PAGE = 4096;
  private static final int LENGTH = 512;
  private static final int BLOCKS = 40;

  private CraftedMedium() {}

  /** What is edited. */
  enum Part {
    SUPERBLOCK,
    REGION_HEADER,
    FOOTER
  }

  /** Where edits come from: a seeded generator, or a fuzzer. */
  interface Choices {
    int below(int bound);

    long any();
  }

  /** A source that tells its own keys by a sum, and throws whatever it likes at others. */
  static final class Keys implements KeySource {
    @Override
    public byte[] wrap(byte[] key) {
      return ByteBuffer.allocate(36).put(key).putInt(Arrays.hashCode(key)).array();
    }

    @Override
    public byte[] unwrap(byte[] wrapped) {
      byte[] key = new byte[32];
      int sum = ByteBuffer.wrap(wrapped).get(key).getInt();
      if (sum != Arrays.hashCode(key)) {
        throw new IllegalStateException("of another source");
      }
      return key;
    }
  }

  /** Returns what an honest cache leaves, in the clear or sealed. */
  static byte[] image(@Nullable KeySource keys) {
    CrashDisk disk = new CrashDisk(CAPACITY);
    for (int life = 0; life < 2; life++) {
      disk = new CrashDisk(disk.afterKill());
      try (BlockCache cache = open(disk, keys)) {
        for (int file = 0; file < 3; file++) {
          offer(cache, file);
        }
        cache.invalidate(2, 0);
      }
    }
    return disk.afterKill();
  }

  /** Every third one fills a page, and has no header where regions are in the clear. */
  private static int length(int block) {
    return block % 3 == 0 ? PAGE : LENGTH;
  }

  private static BlockCache open(CrashDisk disk, @Nullable KeySource keys) {
    BlockCacheBuilder builder = WarmRestartTest.builder(disk);
    BlockCache cache = (keys == null ? builder : builder.encrypted(keys)).build();
    cache.control().maintain();
    return cache;
  }

  private static int offer(BlockCache cache, int file) {
    cache.identify(file, FileIdentity.of("crafted", Integer.toString(file)));
    int admitted = 0;
    for (int block = 0; block < BLOCKS; block++) {
      long offset = (long) block * PAGE;
      OfferResult result =
          cache.offer(file, offset, TestBlock.of(file, offset, length(block)), Source.READ);
      admitted += result == OfferResult.ADMITTED ? 1 : 0;
    }
    cache.control().maintain();
    return admitted;
  }

  /** Edits one to four fields of a part, and makes its sum right. Returns what was done. */
  static String edit(byte[] image, Part part, boolean sealed, Choices choices) {
    StringBuilder done = new StringBuilder(part.name());
    int edits = 1 + choices.below(4);
    for (int i = 0; i < edits; i++) {
      switch (part) {
        case SUPERBLOCK -> {
          int copy = choices.below(2) * PAGE;
          put(image, copy, choices.below(2) == 0 ? 240 : 4088, choices, done);
          CraftedImage.mendSuperblock(image, copy);
        }
        case REGION_HEADER -> {
          List<Integer> headers = CraftedImage.regionHeaders(image);
          if (!headers.isEmpty()) {
            int header = headers.get(choices.below(headers.size()));
            put(image, header, sealed ? 96 : 48, choices, done);
            if (!sealed) {
              CraftedImage.mendRegionHeader(image, header);
            }
          }
        }
        case FOOTER -> {
          List<Integer> heads = CraftedImage.footerHeads(image);
          if (!heads.isEmpty()) {
            int head = heads.get(choices.below(heads.size()));
            boolean inHead = choices.below(2) == 0;
            int from = inHead ? head : CraftedImage.footerBegin(image, head);
            put(image, from, inHead ? 48 : head - from, choices, done);
            CraftedImage.mendFooter(image, head);
          }
        }
      }
    }
    return done.toString();
  }

  private static void put(byte[] image, int from, int length, Choices choices, StringBuilder done) {
    int width = 1 << choices.below(4);
    int at = from + choices.below(Math.max(1, length / width)) * width;
    ByteBuffer bytes = ByteBuffer.wrap(image);
    if (at + Long.BYTES > image.length) {
      return;
    }
    long old = bytes.getLong(at) >>> (Long.SIZE - width * Byte.SIZE);
    long value =
        switch (choices.below(6)) {
          case 0 -> 0;
          case 1 -> -1;
          case 2 -> (1L << choices.below(width * Byte.SIZE)) - choices.below(3);
          case 3 -> old + choices.below(9) - 4;
          case 4 -> Long.MAX_VALUE >>> (Long.SIZE - width * Byte.SIZE);
          default -> choices.any();
        };
    for (int i = 0; i < width; i++) {
      image[at + i] = (byte) (value >>> ((width - 1 - i) * Byte.SIZE));
    }
    done.append(", ").append(width).append(" bytes at ").append(at - from).append(" = ");
    done.append(Long.toHexString(value));
  }

  /**
   * Lets three caches live on an image, and compares what they give: a footer in the clear says
   * which block is whose, so that after it was edited no more can be told than that it is a block.
   */
  static void live(byte[] image, @Nullable KeySource keys, Part edited) {
    byte[] left = image;
    boolean tells = keys != null || edited != Part.FOOTER;
    for (int life = 0; life < 3; life++) {
      CrashDisk disk = new CrashDisk(left);
      try (BlockCache cache = open(disk, keys)) {
        for (int file = 0; file < 3 + life; file++) {
          cache.identify(file, FileIdentity.of("crafted", Integer.toString(file)));
          int hits = hits(cache, file, tells);
          require(life < 2 || file != 2 + life || hits > 0, "nothing outlives a restart any more");
        }
        require(offer(cache, 3 + life) > 0, "nothing is admitted in life " + life);
        require(hits(cache, 3 + life, tells) > 0, "nothing is found in life " + life);
        require(cache.control().health().inService(), "out of service");
      }
      left = disk.afterKill();
    }
  }

  private static int hits(BlockCache cache, int file, boolean tells) {
    int hits = 0;
    for (int block = 0; block < BLOCKS; block++) {
      long offset = (long) block * PAGE;
      ByteBuffer dst = ByteBuffer.allocate(PAGE);
      int length = cache.get(file, offset, dst);
      if (length != BlockCache.MISS) {
        hits++;
        if (tells) {
          TestBlock.assertMatches(dst.flip(), file, offset, length(block));
        }
      }
    }
    return hits;
  }

  private static void require(boolean fact, String otherwise) {
    if (!fact) {
      throw new AssertionError(otherwise);
    }
  }
}
