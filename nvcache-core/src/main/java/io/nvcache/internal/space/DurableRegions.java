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
import java.util.Objects;
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
   * @param previous what the earlier cache left; null if there is none
   * @param reason why there is none; empty if there is one
   * @param cipher seals blocks and footers; null if they are not sealed
   */
  public record Identity(
      UUID instance,
      long hashSeed,
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
    this.sequence = previous == null ? 0 : previous.sequence();
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
    Superblock.Geometry geometry = Superblock.Geometry.of(sizing, medium.alignmentBytes());
    String fault;
    try {
      SuperblockReader.Found found =
          SuperblockReader.read(medium::read, its -> unlike(its, geometry), keys);
      Superblock newest = found.superblock();
      fault = found.fault();
      if (newest != null && newest.isSealed() != (keys != null)) {
        fault = newest.isSealed() ? "it is encrypted, and no key was given" : "it is in the clear";
      }
      if (newest != null && fault.isEmpty()) {
        return new Identity(newest.instance(), newest.hashSeed(), newest, "", found.cipher());
      }
    } catch (IOException | RuntimeException failure) {
      fault = "its superblock can't be read: " + failure;
    }
    RegionCipher cipher = fresh(keys, geometry.regions());
    return new Identity(UUID.randomUUID(), freshSeed, null, fault, cipher);
  }

  private static String unlike(Superblock.Geometry its, Superblock.Geometry geometry) {
    return its.equals(geometry) ? "" : "it was written as " + its + ", and is now " + geometry;
  }

  private static @Nullable RegionCipher fresh(@Nullable KeySource keys, int regions) {
    try {
      return keys == null ? null : RegionCipher.fresh(keys, regions);
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
    return new RegionReader(
        medium::read, Objects.requireNonNull(identity.previous), identity.cipher);
  }

  /** Returns why there is nothing of an earlier cache; empty if there is. */
  public String reason() {
    return identity.reason;
  }

  private static void forget(Medium medium) throws IOException {
    if (SuperblockReader.read(medium::read, any -> "", null).superblock() != null) {
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
    int written = writeSuperblock(false, generation, kept);
    medium.write(at, allocator.header(generation), 0, HEADER);
    medium.persist(0, at + HEADER);
    allocator.putHeader(region, generation);
    openGeneration = generation;
    return written + HEADER;
  }

  /** Writes a region's footer, after all of its blocks. Returns the bytes written. */
  public int seal(long generation, RegionFooter.Builder footer) throws IOException {
    int region = allocator.regionOf(generation);
    long at = allocator.mediumOffset(region);
    ByteBuffer bytes = footer.build(identity.instance, region, generation);
    if (identity.cipher != null) {
      RegionFooter.seal(bytes, identity.cipher, region, generation);
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
    int written = writeSuperblock(false, allocator.headGeneration(), kept);
    medium.persist(0, RegionLayout.SUPERBLOCKS_BYTES);
    return written;
  }

  /** Says that the cache was closed. */
  public int close(Kept kept) throws IOException {
    medium.persist(0, geometry.capacityBytes());
    int written = writeSuperblock(true, allocator.headGeneration(), kept);
    medium.persist(0, RegionLayout.SUPERBLOCKS_BYTES);
    return written;
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

  private int writeSuperblock(boolean clean, long generation, Kept kept) throws IOException {
    return write(next(clean, generation, kept));
  }

  /**
   * Writes a superblock: after a cold start, both copies, so that nothing of what was there before
   * counts any more. Returns the bytes written.
   */
  private int write(Superblock next) throws IOException {
    boolean isFirst = sequence == 0;
    Superblock last = isFirst ? next.next() : next;
    int length = isFirst ? RegionLayout.SUPERBLOCKS_BYTES : Superblock.BYTES;
    ByteBuffer copies = ByteBuffer.allocate(RegionLayout.SUPERBLOCKS_BYTES);
    for (Superblock copy : List.of(next, last)) {
      copies.put(place(copy), copy.encoded(identity.cipher), 0, Superblock.BYTES);
    }
    int at = isFirst ? 0 : place(last);
    try {
      medium.write(at, copies, at, length);
    } catch (IOException | RuntimeException e) {
      synchronized (this) {
        revokedAnew |= !next.revoked().isEmpty(); // The next one has to say it.
      }
      throw e;
    }
    sequence = last.sequence();
    generationLimit = next.generationLimit();
    return length;
  }

  private static int place(Superblock copy) {
    return (int) (copy.sequence() % 2) * Superblock.BYTES;
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
