// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32C;

/** Writes a file of blocks, reads it twice through a {@link BlockReader}, deletes it. */
public final class ReadFiles {
  private static final int BLOCK_BYTES = 16 << 10;
  private static final int BLOCKS = 256;

  private ReadFiles() {}

  /** Prints what each tier answered. */
  public static void main(String[] arguments) throws IOException {
    Path directory = Files.createTempDirectory("nvcache-example");
    Path file = directory.resolve("1-Data.db");
    BlockCache second = BlockCache.builder().nativeMemory(64 << 20).build();
    try (BlockReader reader = new BlockReader(1 << 20, second)) {
      Files.write(file, blocks());
      reader.open(file);
      long first = readAll(reader, file);
      if (first != readAll(reader, file)) {
        throw new AssertionError("the second reading gave other bytes");
      }
      System.out.println("the second tier: " + second.control().ledger().entries());
      reader.delete(file);
    } finally {
      Files.deleteIfExists(file);
      Files.delete(directory);
    }
  }

  private static byte[] blocks() {
    byte[] bytes = new byte[BLOCKS * BLOCK_BYTES];
    new Random(1).nextBytes(bytes);
    return bytes;
  }

  private static long readAll(BlockReader reader, Path file) throws IOException {
    CRC32C sum = new CRC32C();
    for (int block = 0; block < BLOCKS; block++) {
      ByteBuffer bytes = reader.read(file, (long) block * BLOCK_BYTES, BLOCK_BYTES, Source.READ);
      sum.update(bytes);
    }
    return sum.getValue();
  }
}
