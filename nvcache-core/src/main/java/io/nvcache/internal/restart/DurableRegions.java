// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.FileIdentity;
import io.nvcache.internal.regions.AppendLog;
import io.nvcache.internal.regions.RegionFooter;
import io.nvcache.internal.regions.RegionLayout;
import io.nvcache.internal.regions.RegionTable;
import io.nvcache.internal.regions.Superblock;
import io.nvcache.internal.space.Sizing;
import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Makes a medium that is written in regions readable to the next cache: writes its superblocks, and
 * the headers and footers of its regions. {@link RegionReader} reads them.
 *
 * <p><b>Order of writes.</b> For each region: superblock and header, flush, blocks, flush, footer.
 * The two copies of the superblock are written in turn. {@link RegionLayout} says what this proves.
 *
 * <p><b>Revocations</b> are kept once both copies have them, each written and flushed: then neither
 * an error nor a flipped bit brings back a state before them. What was not written and flushed
 * without an error is written again. They are given up only when no region that the next cache may
 * find is old enough to need them.
 *
 * <p><b>Threads.</b> {@link #revoke}, {@link #keepRevocations} and what tells of them may be called
 * by any thread, all else by one at a time. A lock is held while a superblock is written and
 * flushed, so that no thread misses the failure of a flush that another one asked for.
 */
public final class DurableRegions {
  private static final int HEADER = RegionLayout.REGION_HEADER_BYTES;

  /** At once, of superblocks: two copies, each again after an error. */
  private static final int MOST_WRITES = 4;

  private static final int FIRST_WRITES = 2;

  private final Medium medium;
  private final AppendLog log;
  private final RegionTable table;
  private final RestartIdentity identity;
  private final Superblock.Geometry geometry;

  /** No region of an earlier cache has this generation or a higher one, as far as it said. */
  private final long firstLimit;

  /** The generation of the region whose header is on the medium for certain. */
  private long openGeneration = -1;

  private final ReentrantLock writing = new ReentrantLock();

  // Under the lock.
  private long sequence;
  private long generationLimit;
  private boolean closed;

  /** How often it is yet to be tried to write both copies at once. */
  private int firstWrites;

  /** Copies of the superblock that the last write has written. */
  private int copiesWritten;

  /** Revocations that each copy has on the medium for certain. */
  private final long[] keptByCopy = new long[2];

  /** Under the monitor. */
  private final RevokedFiles revoked;

  /** How many there were, in this object's life. */
  private volatile long revocations;

  private volatile long keptRevocations;

  /** Says what else of the cache its superblocks keep. */
  public interface Kept {
    /** Returns what the write limit of a day leaves, in bytes; -1 without a limit. */
    long daySpareBytes();

    /** Returns the number below which files have got numbers. */
    int nextFileNumber();

    /** A copy of the superblock could not be written or flushed; it is written again. */
    void writeFailed(Throwable failure);
  }

  public DurableRegions(Medium medium, AppendLog log, Sizing sizing, RestartIdentity identity) {
    this.medium = medium;
    this.log = log;
    this.table = log.table();
    this.identity = identity;
    this.geometry = Superblock.Geometry.of(sizing, medium.alignmentBytes());
    Superblock previous = identity.previous();
    this.sequence = previous == null ? 0 : previous.sequence();
    this.firstWrites = previous == null ? FIRST_WRITES : 0;
    this.firstLimit = previous == null ? 0 : previous.generationLimit();
    this.generationLimit = firstLimit;
    this.revoked = new RevokedFiles(previous);
  }

  /** Returns what the earlier cache left; null if there is none that may be trusted. */
  public @Nullable Superblock previous() {
    return identity.previous();
  }

  /** Returns what reads the regions of the earlier cache; each thread needs its own. */
  public RegionReader newReader() {
    return new RegionReader(
        medium::read, Objects.requireNonNull(identity.previous()), identity.codec());
  }

  /** Returns why there is nothing of an earlier cache; empty if there is. */
  public String reason() {
    return identity.reason();
  }

  /**
   * Makes sure, before a piece of a region is written, that the medium has the region's header, and
   * a superblock that knows of its generation. Returns the bytes written.
   */
  public int open(Kept kept) throws IOException {
    long generation = log.flushGeneration();
    if (generation == openGeneration) {
      return 0;
    }
    int region = log.regionOf(generation);
    long at = table.mediumOffset(region);
    int written;
    writing.lock();
    try {
      long known = revocations;
      written = writeOrAgain(generation, kept);
      medium.write(at, log.header(generation), 0, HEADER);
      medium.persist(0, at + HEADER);
      kept(known);
    } finally {
      writing.unlock();
    }
    table.putHeader(region, generation);
    openGeneration = generation;
    return written + HEADER;
  }

  /** Writes a region's footer, after all of its blocks. Returns the bytes written. */
  public int seal(long generation, RegionFooter.Builder footer) throws IOException {
    int region = log.regionOf(generation);
    long at = table.mediumOffset(region);
    ByteBuffer bytes = footer.build(identity.instance(), region, generation);
    identity.codec().sealFooter(bytes, region, generation);
    medium.persist(at, table.regionBytes());
    medium.write(at + table.regionBytes() - bytes.capacity(), bytes, 0, bytes.capacity());
    return bytes.capacity();
  }

  /**
   * Takes the header of a free region away for certain, before its blocks go: whatever a drive
   * leaves of them, no cache restores the region. Returns the bytes written.
   */
  public int blank(int region) throws IOException {
    long at = table.mediumOffset(region);
    writing.lock();
    try {
      medium.write(at, ByteBuffer.allocate(HEADER), 0, HEADER);
      medium.persist(at, HEADER);
    } finally {
      writing.unlock();
    }
    return HEADER;
  }

  /**
   * Has a file's blocks in regions up to the present one never be restored. Before there is a
   * present one, while the regions are looked at, these are all that an earlier cache filled. To be
   * {@linkplain #keepRevocations kept}. If it finds no memory, it revokes all files.
   */
  public synchronized void revoke(FileIdentity file) {
    revoked.add(file, newest());
    revocations++;
  }

  /** The same of all files. */
  public synchronized void revokeAll() {
    if (revoked.floor() <= newest()) {
      revoked.addAll(newest());
      revocations++;
    }
  }

  private long newest() {
    return Math.max(log.headGeneration(), firstLimit - 1);
  }

  /** Returns how many revocations there were. */
  public long revocations() {
    return revocations;
  }

  /** Returns how many of them, the first ones, no error can undo any more. */
  public long keptRevocations() {
    return keptRevocations;
  }

  /**
   * Writes superblocks until both copies have all revocations, or it has failed several times.
   * Returns the bytes written.
   */
  public int keepRevocations(Kept kept) {
    if (isWritingInCaller()) {
      return 0; // A medium that invalidates a block while it writes the superblock.
    }
    return writeWhatIsNotKept(kept);
  }

  /** Returns whether it is the calling thread that writes a superblock now. */
  public boolean isWritingInCaller() {
    return writing.isHeldByCurrentThread();
  }

  private int writeWhatIsNotKept(Kept kept) {
    writing.lock();
    try {
      int written = 0;
      for (int i = 0; i < MOST_WRITES && keptRevocations < revocations; i++) {
        try {
          written += writeAndFlush(kept);
        } catch (IOException | RuntimeException | Error failure) {
          kept.writeFailed(failure);
        }
      }
      return written;
    } finally {
      writing.unlock();
    }
  }

  private int writeAndFlush(Kept kept) throws IOException {
    long known = revocations;
    int written = write(next(log.headGeneration(), kept));
    medium.persist(0, RegionLayout.SUPERBLOCKS_BYTES);
    kept(known);
    return written;
  }

  /** Says that the cache was closed. */
  public int close(Kept kept) throws IOException {
    medium.persist(0, geometry.capacityBytes());
    writing.lock();
    try {
      closed = true;
      return writeAndFlush(kept) + writeWhatIsNotKept(kept);
    } finally {
      writing.unlock();
    }
  }

  private int writeOrAgain(long generation, Kept kept) throws IOException {
    try {
      return write(next(generation, kept));
    } catch (IOException | RuntimeException failure) {
      kept.writeFailed(failure);
      return write(next(generation, kept));
    }
  }

  /**
   * Writes a superblock: after a cold start, both copies, so that nothing of what was there before
   * counts any more, unless that has failed repeatedly. Whether it fails or not, the next one has a
   * higher sequence, and the place of the other copy. Returns the bytes written.
   */
  private int write(Superblock next) throws IOException {
    copiesWritten = firstWrites > 0 ? 2 : 1;
    firstWrites = Math.max(0, firstWrites - 1);
    Superblock last = copiesWritten == 2 ? next.next() : next;
    ByteBuffer copies = ByteBuffer.allocate(RegionLayout.SUPERBLOCKS_BYTES);
    for (Superblock copy : List.of(next, last)) {
      copies.put(place(copy), copy.encoded(identity.codec()), 0, Superblock.BYTES);
    }
    sequence = last.sequence();
    generationLimit = next.generationLimit();
    int length = copiesWritten * Superblock.BYTES;
    int at = copiesWritten == 2 ? 0 : place(last);
    medium.write(at, copies, at, length);
    return length;
  }

  private static int place(Superblock copy) {
    return (int) (copy.sequence() % 2) * Superblock.BYTES;
  }

  /** What was written last is flushed, and knows so many revocations. */
  private void kept(long known) {
    for (int i = 0; i < copiesWritten; i++) {
      keptByCopy[(int) ((sequence - i) % 2)] = known;
    }
    keptRevocations = Math.min(keptByCopy[0], keptByCopy[1]);
    firstWrites = 0;
  }

  private synchronized Superblock next(long generation, Kept kept) {
    Superblock previous = identity.previous();
    if (previous != null && table.awaitsRestore()) {
      return previous.revoking(sequence + 1, revoked.floor(), revoked.list()); // None was added.
    }
    // What was revoked while the regions were looked at holds for all that were found, those above
    // the earlier cache's limit included: an old copy of the superblock may have been read.
    revoked.extend(firstLimit - 1, table.firstGeneration() - 1);
    revoked.removeBelow(table.lowestGeneration());
    long limit = Math.max(generationLimit, generation + Superblock.GENERATIONS_AHEAD);
    List<Integer> free = table.deadRegions();
    return new Superblock(
        closed,
        identity.instance(),
        sequence + 1,
        limit,
        identity.hashSeed(),
        geometry,
        kept.nextFileNumber(),
        System.currentTimeMillis(),
        kept.daySpareBytes(),
        revoked.floor(),
        identity.codec().wrapped(),
        free.subList(0, Math.min(free.size(), Superblock.MAX_FREE)),
        revoked.list());
  }
}
