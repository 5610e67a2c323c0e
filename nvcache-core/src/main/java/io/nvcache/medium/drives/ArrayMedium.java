// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.drives;

import io.nvcache.medium.DriveException;
import io.nvcache.medium.DriveSet;
import io.nvcache.medium.Durability;
import io.nvcache.medium.Medium;
import io.nvcache.medium.ReadBatch;
import io.nvcache.medium.WriteCost;
import io.nvcache.memory.Claims;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Several drives as one medium, each of which has its own regions:
 *
 * <pre>
 *   | superblocks | regions of drive 0 | regions of drive 1 | …
 *     8 KiB, on
 *     all drives
 * </pre>
 *
 * <p>A drive that fails, vanishes, fills up or does not answer takes the blocks that are on it, and
 * nothing else. Superblocks are written to all drives, which are flushed then.
 */
public final class ArrayMedium implements Medium {
  private static final int SUPERBLOCKS_BYTES = ArrayDrive.SUPERBLOCKS_BYTES;

  private final ArrayMembers members;
  private final List<ArrayDrive> drives;
  private final DriveSet face;
  private final int unitShift;

  /** The first unit of each drive; and behind the last, the number of all units. */
  private final int[] firstUnits;

  private final long capacityBytes;
  private final int alignmentBytes;
  private final WriteCost writeCost;
  private final Durability durability;
  private final String description;
  private boolean abandoned;
  private boolean retired;
  private boolean closed;

  private ArrayMedium(ArrayMembers members, int unitBytes) {
    this.members = members;
    this.drives = members.drives();
    this.unitShift = Integer.numberOfTrailingZeros(unitBytes);
    this.firstUnits = new int[drives.size() + 1];
    for (ArrayDrive drive : drives) {
      firstUnits[drive.number + 1] = Math.addExact(firstUnits[drive.number], drive.units);
    }
    this.capacityBytes = SUPERBLOCKS_BYTES + ((long) firstUnits[drives.size()] << unitShift);
    List<Medium> media = drives.stream().map(ArrayDrive::medium).filter(Objects::nonNull).toList();
    Medium first = media.get(0);
    this.alignmentBytes = media.stream().mapToInt(Medium::alignmentBytes).max().orElseThrow();
    this.writeCost = first.writeCost();
    this.durability = first.durability();
    this.description =
        "flash on "
            + drives.size()
            + " drives, "
            + drives.stream().map(drive -> drive.source.name()).collect(Collectors.joining(", "))
            + ", "
            + capacityBytes
            + " bytes";
    this.face = new ArrayDrives(this, members);
  }

  /**
   * Returns the capacity of an array.
   *
   * @throws IllegalArgumentException if a drive has no room for a region
   */
  public static long capacityBytes(List<? extends DriveSource> drives, int regionBytes) {
    long units = 0;
    for (DriveSource drive : drives) {
      units += DriveOpening.units(drive, regionBytes);
    }
    return SUPERBLOCKS_BYTES + units * regionBytes;
  }

  /**
   * Opens drives.
   *
   * @param regionBytes a power of two; what a drive has beyond whole regions is not used
   * @param hangNanos after which a write that does not end means that its drive is lost
   * @throws IllegalArgumentException if a drive has no room for a region
   * @throws IOException if a drive can't be opened, and none of the others is of an array that can
   *     do without it; or if one is in use, or not a cache's
   */
  public static ArrayMedium over(
      List<? extends DriveSource> sources, int regionBytes, long hangNanos) throws IOException {
    if (sources.isEmpty() || sources.size() > ArrayLabel.MOST_DRIVES) {
      throw new IllegalArgumentException(
          sources.size() + " drives were named; there may be 1 to " + ArrayLabel.MOST_DRIVES);
    }
    if (regionBytes < ArrayLabel.BYTES || Integer.bitCount(regionBytes) != 1) {
      throw new IllegalArgumentException(
          "regionBytes is " + regionBytes + "; it must be a power of two, at least 4096");
    }
    return new ArrayMedium(new DriveOpening(sources, regionBytes, hangNanos).open(), regionBytes);
  }

  /** Returns the drive of a byte behind the superblocks. */
  ArrayDrive drive(long offset) {
    int unit = (int) ((offset - SUPERBLOCKS_BYTES) >>> unitShift);
    int number = 0;
    while (unit >= firstUnits[number + 1]) {
      number++;
    }
    return drives.get(number);
  }

  /** Returns where on its drive a byte behind the superblocks lies. */
  private long place(ArrayDrive drive, long offset) {
    long first = (long) firstUnits[drive.number] << unitShift;
    return offset - SUPERBLOCKS_BYTES - first + ArrayDrive.UNITS_AT;
  }

  /** Throws if a range reaches over the end of a drive, which no region does. */
  private ArrayDrive driveOf(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    ArrayDrive drive = drive(offset);
    if (length > 0 && drive != drive(offset + length - 1)) {
      throw new IllegalArgumentException(length + " bytes at " + offset + " lie on several drives");
    }
    return drive;
  }

  private static boolean isSuperblocks(long offset) {
    return offset < SUPERBLOCKS_BYTES;
  }

  @Override
  public long capacityBytes() {
    return capacityBytes;
  }

  @Override
  public int alignmentBytes() {
    return alignmentBytes;
  }

  /** All of the members that are there read into the same buffers. */
  @Override
  public boolean readsInto(ByteBuffer dst, int dstPosition) {
    for (int i = 0; i < drives.size(); i++) {
      Medium medium = drives.get(i).medium();
      if (medium != null && !medium.readsInto(dst, dstPosition)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean ignoresPositions() {
    return drives.stream()
        .map(ArrayDrive::medium)
        .allMatch(medium -> medium == null || medium.ignoresPositions());
  }

  @Override
  public void read(long offset, ByteBuffer dst, int length) throws IOException {
    if (isSuperblocks(offset)) {
      readSuperblocks(offset, dst, dst.position(), length);
      return;
    }
    ArrayDrive drive = driveOf(offset, length);
    drive.read(place(drive, offset), dst, length);
  }

  @Override
  public void read(long offset, ByteBuffer dst, int dstPosition, int length) throws IOException {
    if (isSuperblocks(offset)) {
      readSuperblocks(offset, dst, dstPosition, length);
      return;
    }
    ArrayDrive drive = driveOf(offset, length);
    drive.read(place(drive, offset), dst, dstPosition, length);
  }

  @Override
  public int readsAtOnce() {
    return drives.stream()
        .map(ArrayDrive::medium)
        .mapToInt(medium -> medium == null ? 1 : medium.readsAtOnce())
        .max()
        .orElse(1);
  }

  /** Reads a batch of each drive, one after another. */
  @Override
  public void readAll(ReadBatch batch) {
    for (ArrayDrive drive : drives) {
      ReadBatch its = new ReadBatch(Math.max(1, batch.size()));
      int[] numbers = new int[batch.size()];
      for (int i = 0; i < batch.size(); i++) {
        long offset = batch.offset(i);
        if (!isSuperblocks(offset) && driveOf(offset, batch.lengthBytes(i)) == drive) {
          numbers[its.add(place(drive, offset), batch.buffer(i), batch.lengthBytes(i))] = i;
        }
      }
      if (its.size() > 0) {
        readAll(drive, its);
      }
      for (int i = 0; i < its.size(); i++) {
        if (its.isRead(i)) {
          batch.succeeded(numbers[i]);
        }
      }
    }
  }

  private static void readAll(ArrayDrive drive, ReadBatch its) {
    try {
      drive.readAll(its);
    } catch (IOException lost) {
      // A read of one of its blocks alone tells so.
    }
  }

  /** Reads the superblocks of the first drive whose copy can be read. */
  private void readSuperblocks(long offset, ByteBuffer dst, int position, int length)
      throws IOException {
    Objects.checkFromIndexSize(offset, length, SUPERBLOCKS_BYTES);
    IOException failure = new IOException("no drive has superblocks");
    for (ArrayDrive drive : drives) {
      try {
        drive.read(ArrayDrive.LABELS_BYTES + offset, dst, position, length);
        return;
      } catch (DriveException e) {
        failure = e;
      }
    }
    throw failure;
  }

  @Override
  public void write(long offset, ByteBuffer src, int srcPosition, int length) throws IOException {
    if (isSuperblocks(offset)) {
      Objects.checkFromIndexSize(offset, length, SUPERBLOCKS_BYTES);
      members.onAll(
          drive -> drive.write(ArrayDrive.LABELS_BYTES + offset, src, srcPosition, length));
      return;
    }
    ArrayDrive drive = driveOf(offset, length);
    members.ensureBegun();
    drive.write(place(drive, offset), src, srcPosition, length);
  }

  /** Of superblocks, on all drives. */
  @Override
  public void persist(long offset, long length) throws IOException {
    if (isSuperblocks(offset)) {
      members.onAll(drive -> drive.persist(0, ArrayDrive.UNITS_AT));
      return;
    }
    ArrayDrive drive = driveOf(offset, length);
    members.ensureBegun();
    drive.persist(place(drive, offset), length);
  }

  @Override
  public void discard(long offset, long length) throws IOException {
    ArrayDrive drive = driveOf(offset, length);
    members.ensureBegun();
    drive.discard(place(drive, offset), length);
  }

  @Override
  public long address(long offset, long length) {
    Objects.checkFromIndexSize(offset, length, capacityBytes);
    return 0;
  }

  /** Checks each drive; one that can't be used any more is lost, unless it is the last. */
  @Override
  public void check() throws IOException {
    for (ArrayDrive drive : drives) {
      try {
        if (!drive.hasFailed()) {
          drive.check();
        }
      } catch (DriveException lost) {
        // The others are checked all the same.
      }
    }
  }

  @Override
  public DriveSet drives() {
    return face;
  }

  @Override
  public void prepareEncryption() throws IOException {
    for (ArrayDrive drive : drives) {
      drive.prepareEncryption();
    }
  }

  @Override
  public void prepareDiscards() throws IOException {
    for (ArrayDrive drive : drives) {
      drive.prepareDiscards();
    }
  }

  private List<Medium> media() {
    return drives.stream().map(ArrayDrive::medium).filter(Objects::nonNull).toList();
  }

  @Override
  public long bufferBytes() {
    return media().stream().mapToLong(Medium::bufferBytes).sum();
  }

  @Override
  public Durability durability() {
    return durability;
  }

  @Override
  public WriteCost writeCost() {
    return writeCost;
  }

  @Override
  public int regionBytes() {
    return 1 << unitShift;
  }

  /** Returns the first of the paths; {@link DriveSet#list} has all. */
  @Override
  public Optional<Path> path() {
    return drives.get(0).source.path();
  }

  @Override
  public String describe() {
    return description;
  }

  @Override
  public synchronized void retire() {
    if (!retired && !abandoned) {
      retired = true;
      members.end();
      eachAtEnd(Medium::retire);
    }
  }

  @Override
  public synchronized void abandon() {
    abandoned = true;
    eachAtEnd(Medium::abandon);
  }

  @Override
  public synchronized void close() {
    Claims.requireNotHeld(this);
    if (closed) {
      return;
    }
    closed = true;
    try {
      retire();
    } finally {
      try {
        eachAtEnd(Medium::close);
      } finally {
        drives.forEach(ArrayDrive::close);
      }
    }
  }

  /** Each, whatever the others throw. */
  private void eachAtEnd(Consumer<Medium> work) {
    Throwable failure = null;
    for (ArrayDrive drive : drives) {
      try {
        drive.atEnd(work);
      } catch (RuntimeException | Error e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure instanceof Error error) {
      throw error;
    }
    if (failure != null) {
      throw (RuntimeException) failure;
    }
  }
}
