// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.Cacheable;
import org.apache.hadoop.hbase.io.hfile.HFileBlock;
import org.jspecify.annotations.Nullable;

/**
 * How much of each region is cached, which HBase's balancer asks for: the bytes that the cached
 * blocks take on disk, so that they can be compared with the length of the region's files.
 *
 * <p>The engine counts the cached blocks of a file. Their number times the mean length of those
 * that HBase offered is the file's share, which costs the heap something for a file, and nothing
 * for a block. Where HBase offered none, since the blocks were carried over a compaction or are a
 * former server's, it is the mean length of all blocks. A region that was moved away keeps its
 * share as long as its blocks are cached: they are a reason to move it back.
 *
 * <p>A file that is linked to counts for each region that lists a link to it, and not for the
 * region whose directory it was written in, unless that lists it as well.
 *
 * <p>Halves of a split file have one name in both daughters, and their blocks may be cached by that
 * or by their parent's. HBase counts the whole file's length for each daughter, so that each has
 * the whole file's share. Thread-safe.
 */
public final class RegionShares {
  /** HBase asks once for each of its regions, one right after the other. */
  private static final long ANSWER_LASTS_NANOS = 1_000_000_000L;

  /** Admitted blocks of one file, and their bytes on disk. */
  private record Admitted(String region, long blocks, long bytes) {
    Admitted and(int lengthBytes) {
      return new Admitted(region, blocks + 1, bytes + lengthBytes);
    }
  }

  private record Answer(Map<String, Long> bytesByRegion, long nanoTime) {}

  private final ConcurrentMap<String, Admitted> files = new ConcurrentHashMap<>();
  private final ToLongFunction<String> cachedBlocks;
  private final Supplier<Map<String, Set<String>>> namesByRegion;
  private final DoubleSupplier meanBlockBytes;
  private final LongSupplier nanoTime;
  private volatile @Nullable Answer last;

  /**
   * Begins with no file.
   *
   * @param cachedBlocks returns how many blocks of a file, given by name, are cached now
   * @param namesByRegion returns the names of the files that are served, by their region
   * @param meanBlockBytes returns the mean length of all cached blocks
   */
  public RegionShares(
      ToLongFunction<String> cachedBlocks,
      Supplier<Map<String, Set<String>>> namesByRegion,
      DoubleSupplier meanBlockBytes,
      LongSupplier nanoTime) {
    this.cachedBlocks = cachedBlocks;
    this.namesByRegion = namesByRegion;
    this.meanBlockBytes = meanBlockBytes;
    this.nanoTime = nanoTime;
  }

  /** Returns the encoded name of the region that a store file lies in, or null. */
  public static @Nullable String regionOf(@Nullable Path storeFile) {
    Path family = storeFile == null ? null : storeFile.getParent();
    Path region = family == null ? null : family.getParent();
    return region == null ? null : region.getName();
  }

  /** Counts a block that was admitted a moment ago. */
  public void admitted(BlockCacheKey key, Cacheable block, int lengthBytes) {
    String region = RegionOfKey.of(key);
    if (region != null) {
      int onDiskBytes =
          block instanceof HFileBlock hfileBlock
              ? hfileBlock.getOnDiskSizeWithHeader()
              : lengthBytes;
      files.compute(
          StoreFileNames.fileOf(key.getHfileName()),
          (name, before) ->
              (before == null ? new Admitted(region, 0, 0) : before).and(onDiskBytes));
    }
  }

  /** Returns the cached bytes by encoded region name, as of a second ago at most. */
  public Map<String, Long> bytesByRegion() {
    long now = nanoTime.getAsLong();
    Answer answer = last;
    if (answer == null || now - answer.nanoTime() >= ANSWER_LASTS_NANOS) {
      answer = new Answer(Map.copyOf(count()), now);
      last = answer;
    }
    return answer.bytesByRegion();
  }

  private Map<String, Long> count() {
    Map<String, Long> bytes = new HashMap<>();
    Map<String, Set<String>> served = namesByRegion.get();
    Map<String, Set<String>> regions = regionsOfBlocks(served);
    for (String name : files.keySet()) {
      // A file without a cached block is forgotten. A block is in the engine before it is counted
      // here, so that a file of which one comes in at this moment stays.
      files.computeIfPresent(
          name,
          (file, admitted) -> {
            long blocks = cachedBlocks.applyAsLong(file);
            if (blocks == 0) {
              return null;
            }
            long share = Math.round((double) blocks * admitted.bytes() / admitted.blocks());
            // What a writer offers lies in a temporary directory of its region, up to HBase 3. A
            // region that is served, and does not list the file, has compacted or replaced it.
            regions
                .getOrDefault(
                    file,
                    served.containsKey(admitted.region()) ? Set.of() : Set.of(admitted.region()))
                .forEach(region -> bytes.merge(region, share, Long::sum));
            return admitted;
          });
    }
    double mean = meanBlockBytes.getAsDouble();
    regions.forEach(
        (name, of) -> {
          long blocks = files.containsKey(name) ? 0 : cachedBlocks.applyAsLong(name);
          if (blocks > 0) {
            of.forEach(region -> bytes.merge(region, Math.round(blocks * mean), Long::sum));
          }
        });
    return bytes;
  }

  /** Returns the regions that read a file's blocks, by the name under which these are cached. */
  private static Map<String, Set<String>> regionsOfBlocks(Map<String, Set<String>> served) {
    Map<String, Set<String>> regions = new HashMap<>();
    served.forEach(
        (region, names) -> {
          for (String name : names) {
            add(regions, StoreFileNames.fileOf(name), region);
            String parent = StoreFileNames.parentOf(name);
            if (parent != null) {
              add(regions, parent, region);
            }
          }
        });
    return regions;
  }

  private static void add(Map<String, Set<String>> regions, String name, String region) {
    regions.computeIfAbsent(name, unknown -> new HashSet<>()).add(region);
  }

  /** Forgets a region that is no more: nothing will ask for its blocks. */
  public void dropped(String region) {
    files.values().removeIf(admitted -> admitted.region().equals(region));
  }
}
