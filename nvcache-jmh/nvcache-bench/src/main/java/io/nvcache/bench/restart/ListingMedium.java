// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.restart;

import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.medium.WriteCost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * A medium for caches larger than the disk, which are filled once with blocks of one length, in
 * order: it keeps superblocks, and headers and footers of regions, in a sparse file, and drops the
 * bytes of all blocks except in the last regions. A restart reads no more than what is kept.
 */
final class ListingMedium implements Medium {
  /** So that a cache has as many regions as one of 16 times its size has on flash. */
  private static final int REGION_BYTES = 4 << 20;

  private static final int PAGE = 4096;
  private static final int SUPERBLOCKS_BYTES = 2 * PAGE;
  private static final int FOOTER_HEAD_BYTES = 64;
  private static final int FOOTER_BLOCK_BYTES = 32;
  private static final int BLOCK_HEADER_BYTES = 32;
  private static final int GRANULE_BYTES = 64;

  /** Several times what a kill loses. */
  private static final int REGIONS_KEPT = 16;

  /** A smaller medium is divided into shorter regions, and kept as a whole. */
  private static final long LEAST_CAPACITY_BYTES = 64L * REGION_BYTES;

  private final FileChannel file;
  private final Path path;
  private final long capacityBytes;
  private final int firstKept;

  /** From here on all bytes are kept. */
  private final long keptFrom;

  ListingMedium(Path path, long capacityBytes, int blockBytes, int blocks) throws IOException {
    this.path = path;
    this.capacityBytes = capacityBytes;
    int perRegion = blocksPerRegion(blockBytes);
    boolean keepsAll = capacityBytes < LEAST_CAPACITY_BYTES;
    int firstRegion = keepsAll ? 0 : Math.max(0, blocks / perRegion - REGIONS_KEPT);
    this.keptFrom = SUPERBLOCKS_BYTES + (long) firstRegion * REGION_BYTES;
    this.firstKept = firstRegion * perRegion;
    this.file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static int blocksPerRegion(int blockBytes) {
    int space = (BLOCK_HEADER_BYTES + blockBytes + GRANULE_BYTES - 1) & -GRANULE_BYTES;
    int blocks = 0;
    while (PAGE + (blocks + 1L) * space + footerBytes(blocks + 1) <= REGION_BYTES) {
      blocks++;
    }
    return blocks;
  }

  private static int footerBytes(int blocks) {
    return (FOOTER_HEAD_BYTES + blocks * FOOTER_BLOCK_BYTES + PAGE - 1) & -PAGE;
  }

  /** Returns the first block of those whose bytes are kept. */
  int firstKept() {
    return firstKept;
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public int alignmentBytes() {
    return PAGE;
  }

  @Override
  public boolean ignoresPositions() {
    return true;
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    read(offset, dst, dst.position(), length);
  }

  @Override
  public void read(long offset, ByteBuffer dst, int dstPosition, int length) throws IOException {
    ByteBuffer part = dst.duplicate().clear().position(dstPosition).limit(dstPosition + length);
    while (part.hasRemaining()) {
      if (file.read(part, offset + part.position() - dstPosition) < 0) {
        while (part.hasRemaining()) { // Behind the end of a sparse file.
          part.put((byte) 0);
        }
      }
    }
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    long inRegion = (offset - SUPERBLOCKS_BYTES) % REGION_BYTES;
    boolean isFooter = inRegion + length == REGION_BYTES && length < REGION_BYTES / 4;
    if (offset < SUPERBLOCKS_BYTES || offset >= keptFrom || isFooter) {
      keep(offset, src, srcPosition, length);
    } else if (inRegion == 0) {
      keep(offset, src, srcPosition, PAGE);
    }
  }

  private void keep(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    ByteBuffer part = src.duplicate().clear().position(srcPosition).limit(srcPosition + length);
    while (part.hasRemaining()) {
      file.write(part, offset + part.position() - srcPosition);
    }
  }

  /** Does nothing: a kill loses nothing that was written. */
  @Override
  public void persist(long offset, long length) {}

  @Override
  public long address(long offset, long length) {
    return 0;
  }

  @Override
  public Durability durability() {
    return Durability.POWER_FAIL;
  }

  @Override
  public int regionBytes() {
    return REGION_BYTES;
  }

  @Override
  public WriteCost writeCost() {
    return WriteCost.FREE_REMOVALS;
  }

  @Override
  public Optional<Path> path() {
    return Optional.of(path);
  }

  @Override
  public String describe() {
    return "lists of blocks in " + path;
  }

  @Override
  public void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
