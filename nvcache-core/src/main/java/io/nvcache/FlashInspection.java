// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.control.RestoreLoss;
import io.nvcache.internal.regions.RegionFooter;
import io.nvcache.internal.regions.Superblock;
import io.nvcache.internal.restart.RegionReader;
import io.nvcache.internal.restart.SuperblockReader;
import io.nvcache.medium.KeySource;
import io.nvcache.medium.drives.FlashArrayImage;
import io.nvcache.medium.file.FlashImage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A read-only inspection of what a {@linkplain Restart#WARM warm restart} on a file or device of
 * flash would find. A cache of another process may have it open: then it is about what a kill at
 * this moment would leave.
 *
 * @param path of the file
 * @param lengthBytes of the file
 * @param coldReason why a restart would be cold, or can't be looked at without the key of the
 *     cache; empty if it would be warm
 * @param header what the cache said of the medium as a whole; empty if it can't be read
 * @param regions all regions, in the order in which they lie; none if a restart would be cold
 * @param files what the regions that would be restored list, most blocks first
 */
public record FlashInspection(
    Path path,
    long lengthBytes,
    String coldReason,
    Optional<Header> header,
    List<RegionState> regions,
    List<FileShare> files) {
  /** Copies the lists. */
  public FlashInspection {
    regions = List.copyOf(regions);
    files = List.copyOf(files);
  }

  /**
   * What the newest superblock says.
   *
   * @param clean whether the cache was closed, and nothing was written since
   * @param instance drawn at the last cold start
   * @param sequence how many superblocks were written since then
   * @param written when it was written
   * @param capacityBytes of the medium. The next cache has to have the same, as well as regions,
   *     granules and alignment of the same length
   * @param regionBytes of each region
   * @param granuleBytes of the unit in which places are counted
   * @param alignmentBytes of the medium
   * @param generationLimit no region has this generation or a higher one
   * @param daySpareBytes what was left of the write limit of a day; -1 without a limit
   * @param revokedFiles of which a block was invalidated, so that they are not restored
   */
  public record Header(
      boolean clean,
      UUID instance,
      long sequence,
      Instant written,
      long capacityBytes,
      int regionBytes,
      int granuleBytes,
      int alignmentBytes,
      long generationLimit,
      long daySpareBytes,
      List<FileIdentity> revokedFiles) {
    /** Copies the list. */
    public Header {
      revokedFiles = List.copyOf(revokedFiles);
    }

    private static Header of(Superblock superblock) {
      Superblock.Geometry geometry = superblock.geometry();
      return new Header(
          superblock.clean(),
          superblock.instance(),
          superblock.sequence(),
          Instant.ofEpochMilli(superblock.millis()),
          geometry.capacityBytes(),
          geometry.regionBytes(),
          geometry.granuleBytes(),
          geometry.alignmentBytes(),
          superblock.generationLimit(),
          superblock.daySpareBytes(),
          superblock.revoked().stream().map(Superblock.Revoked::identity).distinct().toList());
    }
  }

  /**
   * A region.
   *
   * @param number its place
   * @param generation the higher, the later it was filled; -1 if that can't be read
   * @param loss why it would not be restored; null if it would
   * @param blocks that it lists
   * @param bytes of these blocks
   */
  public record RegionState(
      int number, long generation, @Nullable RestoreLoss loss, long blocks, long bytes) {}

  /**
   * What regions list of a file.
   *
   * @param identity of the file
   * @param listedBlocks how many blocks are listed
   * @param listedBytes the bytes of these
   * @param blocks how many there are, each counted once though two regions may list it; at most so
   *     many would be restored
   */
  public record FileShare(
      FileIdentity identity, long listedBlocks, long listedBytes, long blocks) {}

  /** Returns how many blocks would be restored, if the index has room for all. */
  public long blocks() {
    return files.stream().mapToLong(FileShare::blocks).sum();
  }

  /**
   * Reads superblocks and footers; not the blocks. Takes some hundred bytes of memory for each
   * region that the length of the file has room for, eight for each block that is listed, and the
   * length of a region.
   *
   * @throws IOException if the file does not exist or can't be read. Whatever it holds is no reason
   */
  public static FlashInspection of(Path path) throws IOException {
    return look(path, null);
  }

  /**
   * The same with the key of the cache, if it was {@linkplain
   * BlockCacheBuilder#encrypted(KeySource) encrypted} under one from outside. One that was not is
   * shown as it would be without a key.
   */
  public static FlashInspection of(Path path, KeySource keys) throws IOException {
    return look(path, Objects.requireNonNull(keys, "keys"));
  }

  /**
   * The same of the files or devices of a cache on several drives, in any order. Regions on drives
   * that are not named, or don't count, are shown as blank.
   *
   * @param keys of the cache; null if it has none
   */
  public static FlashInspection of(List<Path> paths, @Nullable KeySource keys) throws IOException {
    Objects.requireNonNull(paths, "paths");
    if (paths.size() == 1) {
      return look(paths.get(0), keys);
    }
    try (FlashArrayImage image = FlashArrayImage.open(paths)) {
      return new Look(paths.get(0), image.lengthBytes(), image::read, keys)
          .inspect(image.fault(), () -> newestSuperblock(image, keys));
    }
  }

  /** Reads what counts of the superblocks of the drive that knows most. */
  private static SuperblockReader.Found newestSuperblock(
      FlashArrayImage image, @Nullable KeySource keys) throws IOException {
    Function<Superblock.Geometry, String> unlike =
        its ->
            isDividedLike(image, its) ? "" : "it can't be divided as its superblock says: " + its;
    SuperblockReader.Found newest = null;
    for (int i = 0; i < image.count(); i++) {
      int number = i;
      SuperblockReader.Found found =
          SuperblockReader.read(
              (offset, dst, position, length) ->
                  image.readOrigin(number, offset, dst, position, length),
              unlike,
              keys);
      if (newest == null || sequence(found) > sequence(newest)) {
        newest = found;
      }
    }
    return Objects.requireNonNull(newest);
  }

  private static boolean isDividedLike(FlashArrayImage image, Superblock.Geometry its) {
    try {
      return image.isDividedLike(its.capacityBytes(), its.regionBytes());
    } catch (IOException e) {
      return false;
    }
  }

  private static long sequence(SuperblockReader.Found found) {
    Superblock its = found.superblock();
    return its == null ? -1 : its.sequence();
  }

  private static FlashInspection look(Path path, @Nullable KeySource keys) throws IOException {
    Objects.requireNonNull(path, "path");
    try (FlashImage image = FlashImage.open(path)) {
      long lengthBytes = image.lengthBytes();
      return new Look(path, lengthBytes, image::read, keys)
          .inspect(
              image.fault(),
              () -> SuperblockReader.read(image::read, its -> its.faultOfFlash(lengthBytes), keys));
    }
  }

  /** Reads what counts of the superblocks. */
  @FunctionalInterface
  private interface Superblocks {
    SuperblockReader.Found read() throws IOException;
  }

  /** One inspection. */
  private record Look(
      Path path, long lengthBytes, RegionReader.Bytes bytes, @Nullable KeySource keys) {
    FlashInspection inspect(String fault, Superblocks superblocks) {
      if (!fault.isEmpty()) {
        return cold(fault, Optional.empty());
      }
      SuperblockReader.Found found;
      try {
        found = superblocks.read();
      } catch (IOException e) {
        return cold("its superblock can't be read: " + e.getMessage(), Optional.empty());
      }
      Superblock superblock = found.superblock();
      if (superblock == null) {
        return cold(found.fault(), Optional.empty());
      }
      Optional<Header> header = Optional.of(Header.of(superblock));
      if (superblock.isSealed() && keys == null) {
        return cold("it is encrypted: only with its key can be told what is there", header);
      }
      if (!found.fault().isEmpty()) {
        return cold(found.fault(), header);
      }
      Listing listing = new Listing(new RegionReader(bytes, superblock, found.codec()), superblock);
      return new FlashInspection(
          path, lengthBytes, "", header, listing.regions, listing.fileShares());
    }

    private FlashInspection cold(String reason, Optional<Header> header) {
      return new FlashInspection(path, lengthBytes, reason, header, List.of(), List.of());
    }
  }

  /** Adds up what the regions of a medium list: eight bytes of memory for each block. */
  private static final class Listing {
    private final RegionReader reader;
    private final RegionReader.Judge judge;
    private final Map<FileIdentity, Long> revoked;
    private final Map<FileIdentity, Offsets> files = new HashMap<>();
    private final List<RegionState> regions = new ArrayList<>();

    /** Reads all regions. */
    Listing(RegionReader reader, Superblock superblock) {
      this.reader = reader;
      this.judge = new RegionReader.Judge(superblock);
      this.revoked = superblock.revokedGenerations();
      for (int region = 0; region < superblock.geometry().regions(); region++) {
        regions.add(read(region));
      }
    }

    /** Returns the files, most blocks first. */
    List<FileShare> fileShares() {
      return files.entrySet().stream()
          .map(file -> file.getValue().share(file.getKey()))
          .sorted(
              Comparator.comparingLong(FileShare::blocks)
                  .reversed()
                  .thenComparing(share -> share.identity().toString()))
          .toList();
    }

    private RegionState read(int region) {
      long generation = -1;
      RestoreLoss loss;
      try {
        RegionReader.Found found = reader.look(region);
        generation = found.generation();
        loss = judge.loss(found);
        RegionFooter footer = loss == null ? reader.readFooter(found) : null;
        if (footer != null) {
          return list(footer);
        }
        loss = loss == null ? RestoreLoss.DAMAGED : loss;
      } catch (IOException unreadable) {
        loss = RestoreLoss.UNREADABLE;
      }
      return new RegionState(region, generation, loss, 0, 0);
    }

    private RegionState list(RegionFooter footer) {
      List<@Nullable Offsets> byPlace = new ArrayList<>();
      for (RegionFooter.ListedFile file : footer.files()) {
        Long upTo = revoked.get(file.identity());
        boolean isRevoked = upTo != null && footer.generation() <= upTo;
        byPlace.add(
            isRevoked ? null : files.computeIfAbsent(file.identity(), first -> new Offsets()));
      }
      long bytes = 0;
      for (int block = 0; block < footer.blocks(); block++) {
        bytes += footer.lengthBytes(block);
        Offsets offsets = byPlace.get(footer.file(block));
        if (offsets != null) {
          offsets.add(footer.offset(block), footer.lengthBytes(block));
        }
      }
      return new RegionState(footer.region(), footer.generation(), null, footer.blocks(), bytes);
    }

    /** Where the blocks of a file begin. */
    private static final class Offsets {
      private long[] offsets = new long[16];
      private int count;
      private long bytes;

      void add(long offset, int lengthBytes) {
        if (count == offsets.length) {
          offsets = Arrays.copyOf(offsets, 2 * count);
        }
        offsets[count++] = offset;
        bytes += lengthBytes;
      }

      FileShare share(FileIdentity identity) {
        Arrays.sort(offsets, 0, count);
        long distinct = 0;
        for (int i = 0; i < count; i++) {
          distinct += i == 0 || offsets[i] != offsets[i - 1] ? 1 : 0;
        }
        return new FileShare(identity, count, bytes, distinct);
      }
    }
  }
}
