// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.space;

import io.nvcache.FileIdentity;
import io.nvcache.Restart;
import io.nvcache.internal.space.Superblock.Revoked;
import io.nvcache.medium.Durability;
import io.nvcache.medium.KeySource;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a medium that is written in regions readable to the next cache: writes its superblocks, and
 * the headers and footers of its regions. {@link RegionReader} reads them.
 *
 * <p><b>Order of writes.</b> For each region: superblock and header, flush, blocks, flush, footer.
 * The two copies of the superblock are written in turn. {@link RegionLayout} says what this proves.
 *
 * <p>Used by one thread at a time, but for {@link #revoke}.
 */
public final class DurableRegions {
  private static final Logger LOG = LoggerFactory.getLogger(DurableRegions.class);
  private static final int HEADER = RegionLayout.REGION_HEADER_BYTES;

  private final Medium medium;
  private final RegionAllocator allocator;
  private final Identity identity;
  private final Superblock.Geometry geometry;

  /** No region of an earlier cache has this generation or a higher one. */
  private final long firstLimit;

  private long sequence;
  private long generationLimit;

  /** Of the region whose header is on the medium for certain. */
  private long openGeneration = -1;

  // Under the monitor.
  private final List<Revoked> revoked;
  private long floor;
  private boolean revokedAnew;

  /** Says what else of the cache its superblocks keep. */
  public interface Kept {
    /** Returns what the write limit of a day leaves, in bytes; -1 without a limit. */
    long daySpareBytes();

    /** Returns the number below which files have got numbers. */
    int nextFileNumber();
  }

  /**
   * Who writes, and after whom.
   *
   * @param instance of the cache; of the earlier one, if there is one
   * @param hashSeed of the index
   * @param sequence the highest of a superblock that is there, even one of another division
   * @param previous what the earlier cache left; null if there is none
   * @param reason why there is none; empty if there is one
   * @param cipher seals blocks and footers; null if they are not sealed
   */
  public record Identity(
      UUID instance,
      long hashSeed,
      long sequence,
      @Nullable Superblock previous,
      String reason,
      @Nullable RegionCipher cipher) {}

  public DurableRegions(
      Medium medium, RegionAllocator allocator, Sizing sizing, Identity identity) {
    this.medium = medium;
    this.allocator = allocator;
    this.identity = identity;
    this.geometry = Superblock.Geometry.of(sizing, medium.alignmentBytes());
    Superblock previous = identity.previous;
    this.sequence = identity.sequence;
    this.firstLimit = previous == null ? 0 : previous.generationLimit();
    this.generationLimit = firstLimit;
    this.revoked = new ArrayList<>(previous == null ? List.of() : previous.revoked());
    this.floor = previous == null ? 0 : previous.floor();
  }

  /**
   * Returns who is to write the medium's superblocks, and after whom; null if the next cache is to
   * find nothing. Then the medium forgets what an earlier cache left on it.
   *
   * @param freshSeed of the index, if there is no earlier cache
   * @param keys wrap the key that blocks are sealed with; null if they are not sealed
   * @throws IllegalArgumentException if the restart is to be warm, and can't be
   * @throws UncheckedIOException if no key can be wrapped
   */
  public static @Nullable Identity identify(
      Medium medium,
      Sizing sizing,
      long freshSeed,
      @Nullable Restart restart,
      @Nullable KeySource keys) {
    boolean keeps = medium.durability() != Durability.NONE && medium.regionBytes() > 0;
    boolean regions = sizing.cut() == Sizing.Cut.REGIONS;
    if (restart == Restart.WARM && !(keeps && regions)) {
      throw new IllegalArgumentException(
          medium.describe()
              + (keeps
                  ? " places blocks in place, where they can't be found again; place them in"
                      + " regions, or restart cold"
                  : " does not open with what an earlier cache wrote; use flash, or restart cold"));
    }
    if (keeps && regions && restart != Restart.COLD) {
      return identify(medium, sizing, freshSeed, keys);
    }
    if (keeps && !medium.readsWholeBlocks()) {
      try {
        forget(medium);
      } catch (IOException | RuntimeException e) {
        LOG.warn("can't have {} forget what an earlier cache left on it", medium.describe(), e);
      }
    }
    return null;
  }

  private static Identity identify(
      Medium medium, Sizing sizing, long freshSeed, @Nullable KeySource keys) {
    String fault;
    long sequence = 0;
    try {
      Superblock.Read read = Superblock.read(medium::read);
      Superblock newest = read.superblock();
      if (newest != null) {
        sequence = newest.sequence();
        Superblock.Geometry geometry = Superblock.Geometry.of(sizing, medium.alignmentBytes());
        if (!newest.geometry().equals(geometry)) {
          fault = "it was written as " + newest.geometry() + ", and is now " + geometry;
        } else if (newest.isSealed() != (keys != null)) {
          fault =
              newest.isSealed() ? "it is encrypted, and no key was given" : "it is in the clear";
        } else {
          RegionCipher its = keys == null ? null : RegionCipher.unwrap(keys, newest.wrappedKey());
          return new Identity(newest.instance(), newest.hashSeed(), sequence, newest, "", its);
        }
      } else {
        fault = read.fault();
      }
    } catch (IOException | RuntimeException failure) {
      fault = "its superblock or its key can't be read: " + failure;
    }
    return new Identity(UUID.randomUUID(), freshSeed, sequence, null, fault, fresh(keys));
  }

  private static @Nullable RegionCipher fresh(@Nullable KeySource keys) {
    try {
      return keys == null ? null : RegionCipher.fresh(keys);
    } catch (IOException e) {
      throw new UncheckedIOException("can't wrap a key for the cache: " + e.getMessage(), e);
    }
  }

  /** Returns what the earlier cache left; null if there is none that may be trusted. */
  public @Nullable Superblock previous() {
    return identity.previous;
  }

  /** Returns what reads the regions of the earlier cache; each thread needs its own. */
  public RegionReader newReader() {
    return new RegionReader(medium::read, identity.instance, geometry, identity.cipher);
  }

  /** Returns why there is nothing of an earlier cache; empty if there is. */
  public String reason() {
    return identity.reason;
  }

  private static void forget(Medium medium) throws IOException {
    if (Superblock.read(medium::read).superblock() != null) {
      ByteBuffer zeros = ByteBuffer.allocate(RegionLayout.SUPERBLOCKS_BYTES);
      medium.write(0, zeros, 0, zeros.capacity());
      medium.persist(0, zeros.capacity());
    }
  }

  /**
   * Makes sure, before a piece of a region is written, that the medium has the region's header, and
   * a superblock that knows of its generation. Returns the bytes written.
   */
  public int open(Kept kept) throws IOException {
    long generation = allocator.flushed() / allocator.regionBytes();
    if (generation == openGeneration) {
      return 0;
    }
    int region = allocator.regionOf(generation);
    long at = allocator.mediumOffset(region);
    ByteBuffer header = ByteBuffer.allocate(HEADER);
    RegionLayout.putRegionHeader(
        header, 0, identity.instance, region, generation, allocator.regionBytes());
    writeSuperblock(false, generation, kept);
    medium.write(at, header, 0, HEADER);
    medium.persist(0, at + HEADER);
    allocator.putHeader(region, generation);
    openGeneration = generation;
    return Superblock.BYTES + HEADER;
  }

  /** Writes a region's footer, after all of its blocks. Returns the bytes written. */
  public int seal(long generation, RegionFooter.Builder footer) throws IOException {
    int region = allocator.regionOf(generation);
    long at = allocator.mediumOffset(region);
    ByteBuffer bytes = footer.build(identity.instance, region, generation);
    if (identity.cipher != null) {
      RegionFooter.seal(bytes, identity.cipher, generation);
    }
    medium.persist(at, allocator.regionBytes());
    medium.write(at + allocator.regionBytes() - bytes.capacity(), bytes, 0, bytes.capacity());
    return bytes.capacity();
  }

  /**
   * Takes the header of a free region away for certain, before its blocks go: whatever a drive
   * leaves of them, no cache restores the region. Returns the bytes written.
   */
  public int blank(int region) throws IOException {
    long at = allocator.mediumOffset(region);
    medium.write(at, ByteBuffer.allocate(HEADER), 0, HEADER);
    medium.persist(at, HEADER);
    return HEADER;
  }

  /**
   * Has a file's blocks in regions up to the present one never be restored. Before there is a
   * present one, while the regions are looked at, these are all that an earlier cache filled.
   */
  public synchronized void revoke(FileIdentity file) {
    long upTo = Math.max(allocator.headGeneration(), firstLimit - 1);
    revokedAnew = true;
    revoked.removeIf(earlier -> earlier.identity().equals(file));
    if (revoked.size() < Superblock.MAX_REVOKED) {
      revoked.add(new Revoked(file, upTo));
    } else {
      revoked.clear();
      floor = Math.max(floor, upTo + 1);
    }
  }

  /** Writes a superblock if files were revoked that none on the medium knows of. */
  public int writeRevoked(Kept kept) throws IOException {
    synchronized (this) {
      if (!revokedAnew) {
        return 0;
      }
    }
    writeSuperblock(false, allocator.headGeneration(), kept);
    medium.persist(0, RegionLayout.SUPERBLOCKS_BYTES);
    return Superblock.BYTES;
  }

  /** Says that the cache was closed. */
  public int close(Kept kept) throws IOException {
    medium.persist(0, geometry.capacityBytes());
    writeSuperblock(true, allocator.headGeneration(), kept);
    medium.persist(0, RegionLayout.SUPERBLOCKS_BYTES);
    return Superblock.BYTES;
  }

  /**
   * Says of a medium that nothing was appended to what the earlier cache said, and which files were
   * revoked since. Returns the bytes written.
   */
  public int closeUnused() throws IOException {
    Superblock previous = identity.previous;
    Superblock next;
    synchronized (this) {
      if (!revokedAnew || previous == null) {
        return 0;
      }
      next = previous.revoking(sequence + 1, floor, revoked);
    }
    write(next);
    medium.persist(0, RegionLayout.SUPERBLOCKS_BYTES);
    return Superblock.BYTES;
  }

  private void writeSuperblock(boolean clean, long generation, Kept kept) throws IOException {
    write(next(clean, generation, kept));
  }

  private void write(Superblock next) throws IOException {
    long at = next.sequence() % 2 * Superblock.BYTES;
    try {
      medium.write(at, next.encoded(), 0, Superblock.BYTES);
    } catch (IOException | RuntimeException e) {
      synchronized (this) {
        revokedAnew |= !next.revoked().isEmpty(); // The next one has to say it.
      }
      throw e;
    }
    sequence = next.sequence();
    generationLimit = next.generationLimit();
  }

  private synchronized Superblock next(boolean clean, long generation, Kept kept) {
    revokedAnew = false;
    long lowest = allocator.lowestGeneration();
    revoked.removeIf(file -> file.generation() < lowest);
    long limit = Math.max(generationLimit, generation + Superblock.GENERATIONS_AHEAD);
    List<Integer> free = allocator.deadRegions();
    return new Superblock(
        clean,
        identity.instance,
        sequence + 1,
        limit,
        identity.hashSeed,
        geometry,
        kept.nextFileNumber(),
        System.currentTimeMillis(),
        kept.daySpareBytes(),
        floor,
        identity.cipher == null ? ByteBuffer.allocate(0) : identity.cipher.wrapped(),
        free.subList(0, Math.min(free.size(), Superblock.MAX_FREE)),
        revoked);
  }
}
