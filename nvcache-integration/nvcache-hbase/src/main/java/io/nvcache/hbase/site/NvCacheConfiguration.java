// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.site;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.Checksum;
import io.nvcache.PolicyPreset;
import io.nvcache.Restart;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.control.LiveSetting;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.blocks.MetaFirst;
import io.nvcache.hbase.blocks.NeverSmall;
import io.nvcache.hbase.blocks.ReadMode;
import io.nvcache.hbase.files.StoreDirectories;
import io.nvcache.host.CacheSettings;
import io.nvcache.host.KnownKeys;
import io.nvcache.host.TextSettings;
import io.nvcache.medium.FlashDrive;
import io.nvcache.stats.BinaryUnits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.jspecify.annotations.Nullable;

/**
 * The settings of NVCache in {@code hbase-site.xml}; docs/start/hbase.md lists them with their
 * ranges. Only {@link #CAPACITY_BYTES} must be set. A value out of range, or a key that is none,
 * stops the building of the cache with an {@link IllegalArgumentException} that names the key, the
 * value, the range and the remedy.
 */
public final class NvCacheConfiguration {
  /** What every key begins with. */
  static final String PREFIX = "hbase.nvcache.";

  /**
   * What to cache on: {@code native} memory (the default), a {@code mapped} file, {@code flash} (a
   * file or block device of a local SSD), or {@code llpl}, a heap of LLPL, which also needs the
   * jars {@code nvcache-llpl} and {@code llpl}.
   */
  public static final String MEDIUM = PREFIX + "medium";

  /**
   * The file to map; the file or block device of {@code flash}; or LLPL's heap, or a directory for
   * several. Each region server of a machine needs its own. For {@code flash} also several, with
   * commas between them, each alone or as {@code PATH=BYTES}. Refused where the medium is {@code
   * native}.
   */
  public static final String PATH = PREFIX + "path";

  /**
   * How much to cache, in bytes, without a unit; must be set. At least eight of the longest blocks:
   * 1 MiB by default.
   */
  public static final String CAPACITY_BYTES = PREFIX + "capacity.bytes";

  /**
   * What to admit and evict: {@code default}, {@code paper}, {@code paper-20}, {@code paper-4},
   * {@code decaying} or {@code admit-all}, the labels of {@link PolicyPreset}.
   */
  public static final String POLICIES = PREFIX + "policies";

  /** Medium writes per lookup above which nothing is admitted, 0 to 10; default 0.10. */
  public static final String OVERHEAD_TARGET = PREFIX + "overhead.target";

  /**
   * A file of {@code nvcache calibrate --json}, which has its overhead target; the setting above
   * wins.
   */
  public static final String CALIBRATION = PREFIX + "calibration";

  /** Bytes that the medium's device may write in a second; default 0, no limit. */
  public static final String WRITE_LIMIT_SECOND_BYTES = PREFIX + "write.limit.second.bytes";

  /** Bytes that the medium's device may write in a day; default 0, no limit. */
  public static final String WRITE_LIMIT_DAY_BYTES = PREFIX + "write.limit.day.bytes";

  /**
   * The limit of a day as a multiple of the capacity, 0 (no limit) to 1000: a drive's rating. The
   * setting above wins.
   */
  public static final String DRIVE_WRITES_PER_DAY = PREFIX + "drive.writes.per.day";

  /**
   * DRAM that the page cache may fill; used by the small bypass; default 0, off. Must be 0 where
   * this cache is the only one for data blocks ({@link Topology#isOnlyDataCache}), as in the
   * topology {@code combined}.
   */
  public static final String SMALL_BYPASS_DRAM_BYTES = PREFIX + "smallbypass.dram.bytes";

  /** The part of the data set that has to fit in that DRAM, above 0, to 1; default 0.5. */
  public static final String SMALL_BYPASS_FRACTION = PREFIX + "smallbypass.fraction";

  /** How long the paper's eviction looks back, 1 to 31536000; default the preset's. */
  public static final String EVICTION_WINDOW_SECONDS = PREFIX + "eviction.window.seconds";

  /** The part of the capacity that the paper's eviction fills, 0.01 to 1; default 0.95. */
  public static final String FULL_TARGET = PREFIX + "full.target";

  /**
   * The share of the capacity in which index and Bloom filter blocks are not evicted, 0 to 0.9;
   * default 0.1.
   */
  public static final String IMPORTANT_SHARE = PREFIX + "important.share";

  /**
   * The mean length of a block, from 64 B to the longest; sizes the index. Default HBase's 64 KiB,
   * or the longest if that is less.
   */
  public static final String EXPECTED_BLOCK_BYTES = PREFIX + "block.expected.bytes";

  /**
   * The longest block to cache, 4 KiB to 16 MiB; longer ones count as failed inserts. Default 512
   * KiB, or 1/64 of the capacity if that is less, and at least 128 KiB.
   */
  public static final String MAX_BLOCK_BYTES = PREFIX + "block.max.bytes";

  /**
   * The part of the reads from flash that compare a block of whole pages with its checksum again, 0
   * to 1 (each read); default 0.0625.
   */
  public static final String VERIFIED_READS = PREFIX + "verified.reads";

  /**
   * Bytes that readers may hold in place at once; beyond, they get copies. Default 1/8 of the
   * capacity.
   */
  public static final String MAX_PINNED_BYTES = PREFIX + "pinned.max.bytes";

  /** How HBase reads a block: {@code zero-copy} (the default) or {@code copy}. */
  public static final String READ_MODE = PREFIX + "read.mode";

  /**
   * What is kept in DRAM of each block, to verify its bytes at each read: {@code none}, the default
   * in memory, or {@code crc32c}, the default in files. A wrong block is dropped, counted, and a
   * miss. Without effect in regions, which always have checksums.
   */
  public static final String CHECKSUM = PREFIX + "checksum";

  /**
   * Whether blocks are found again after a restart: {@code warm}, the default on flash, or {@code
   * cold}, the default elsewhere. {@code warm} is refused where that can't be.
   */
  public static final String RESTART = PREFIX + "restart";

  /**
   * A file of 32 random bytes, on another device, under which the blocks on flash are encrypted;
   * the next server with the same file finds them again. Default none, and no encryption.
   */
  public static final String KEY_FILE = PREFIX + "key.file";

  /**
   * The path of the medium's file, once more, or several, if it may be overwritten though it holds
   * something that no cache is known to have written; default none.
   */
  public static final String OVERWRITE = PREFIX + "overwrite";

  /**
   * Which blocks {@code NvCacheRegionServer} caches where: {@code combined} (the default: data
   * blocks below, all others in DRAM) or {@code tiered} (data blocks in DRAM as well).
   */
  public static final String TOPOLOGY = PREFIX + "topology";

  /**
   * Whether the hot blocks of a compaction's output are cached after its commit: {@code true} (the
   * default), {@code false}, or {@code standby}, which is off but prepared. For {@code
   * NvCacheRegionServer} in the topology {@code combined}. Unless a server was started with {@code
   * false}, {@code update_config} turns it on and off.
   */
  public static final String COMPACTION_HEAT = PREFIX + "compaction.heat";

  /**
   * Bytes of heap that the hottest blocks of running compactions may take until they are carried;
   * blocks without room there are read back. Default 1/64 of the heap; 0 for none.
   */
  public static final String COMPACTION_HEAT_BYTES = PREFIX + "compaction.heat.bytes";

  /**
   * The cache's name in JMX; default {@code hbase}. A second server in one JVM gets {@code
   * hbase-2}.
   */
  public static final String MBEAN_NAME = PREFIX + "mbean.name";

  /** Seconds between two summaries in the log, 0 (none) to 86400; default 300. */
  public static final String SUMMARY_SECONDS = PREFIX + "summary.seconds";

  private static final KnownKeys KEYS =
      CacheSettings.keys(
          PREFIX,
          EnumSet.allOf(LiveSetting.class),
          CAPACITY_BYTES,
          EXPECTED_BLOCK_BYTES,
          MAX_BLOCK_BYTES,
          READ_MODE,
          CHECKSUM,
          RESTART,
          TOPOLOGY,
          COMPACTION_HEAT,
          COMPACTION_HEAT_BYTES,
          MBEAN_NAME,
          SUMMARY_SECONDS);

  /** Reads settings of a site. */
  static TextSettings settings(Configuration site) {
    return new TextSettings(site::getTrimmed, "hbase-site.xml");
  }

  /** Refuses keys that are none. */
  static void checkKeys(Configuration site) {
    Set<String> keys = new TreeSet<>();
    site.forEach(
        entry -> {
          if (entry.getKey().startsWith(PREFIX)) {
            keys.add(entry.getKey());
          }
        });
    KEYS.check(keys);
  }

  /** Returns whether compactions are to carry heat. */
  public static boolean carriesHeat(Configuration configuration) {
    return compactionHeat(configuration).equals("true");
  }

  /** Returns whether compactions may carry heat later, without a restart. */
  public static boolean mayCarryHeat(Configuration configuration) {
    return !compactionHeat(configuration).equals("false");
  }

  private static String compactionHeat(Configuration configuration) {
    return settings(configuration).choice(COMPACTION_HEAT, "true", "false", "standby");
  }

  /**
   * Returns how much heap the blocks of compactions may take.
   *
   * @param site null for a cache that was not built from settings
   */
  public static long compactionHeatBytes(@Nullable Configuration site) {
    long byDefault = Runtime.getRuntime().maxMemory() / HEAP_BY_HELD_BLOCKS;
    return site == null
        ? byDefault
        : settings(site).integer(COMPACTION_HEAT_BYTES, byDefault, 0, Long.MAX_VALUE);
  }

  /**
   * Returns how many blocks of the expected length are as many bytes: 1 or more.
   *
   * @param site null for a cache that was not built from settings
   */
  public static long expectedBlocks(@Nullable Configuration site, long bytes) {
    int blockBytes =
        site == null
            ? HConstants.DEFAULT_BLOCKSIZE
            : new NvCacheConfiguration(site).expectedBlockBytes();
    return Math.max(1, bytes / blockBytes);
  }

  private static final int MIB = 1 << 20;

  /** The heap, divided by the bytes that the blocks of compactions may take by default. */
  private static final int HEAP_BY_HELD_BLOCKS = 64;

  /** Longest blocks that a medium has to hold. */
  private static final int LEAST_BLOCKS = 8;

  /** Longest blocks that fit a medium that carries blocks of mixed sizes well. */
  private static final int LONGEST_BLOCKS = 64;

  private static final int SECONDS_OF_A_DAY = 86_400;
  private static final String LLPL = "llpl";

  private final TextSettings settings;
  private final CacheSettings common;
  private final boolean isOnlyDataCache;

  private NvCacheConfiguration(Configuration configuration) {
    this.settings = settings(configuration);
    this.common = new CacheSettings(settings, PREFIX);
    this.isOnlyDataCache = Topology.isOnlyDataCache(configuration);
  }

  /** Builds the cache that the settings ask for. */
  public static BlockCache build(Configuration configuration) {
    checkKeys(configuration);
    NvCacheConfiguration configured = new NvCacheConfiguration(configuration);
    configured.checkWhatOthersRead(configuration);
    BlockCache cache =
        configured
            .chooseMedium( // Last, since a heap is opened at once, and a file may be made for it.
                configured.choosePolicies(
                    BlockCache.builder().settingNames(CacheSettings.settingNames(PREFIX))))
            .build();
    StoreDirectories.of(configuration).forEach(cache.control()::addStoreDirectory);
    return cache;
  }

  /** Refuses what is read later, or by the server's class alone. */
  private void checkWhatOthersRead(Configuration configuration) {
    settings.required(
        CAPACITY_BYTES, "set it to the bytes that HBase may use for caching below DRAM");
    Topology unusedTopology = topology(configuration);
    String unusedHeat = compactionHeat(configuration);
    long unusedBytes = compactionHeatBytes(configuration);
  }

  /** Says in words what was built; logged at the start. */
  public static String describe(Configuration configuration, BlockCache cache) {
    TextSettings settings = settings(configuration);
    long smallBypassDramBytes = cache.control().settings().smallBypassDramBytes();
    return String.format(
        Locale.ROOT,
        "%s of HBase's blocks: medium %s%s, policies %s, overhead target %.4g %%, %s, small bypass"
            + " %s, read mode %s",
        BinaryUnits.of(cache.stats().capacityBytes()),
        settings.text(MEDIUM, "native"),
        settings.isSet(PATH) ? " at " + settings.text(PATH, "") : "",
        settings.text(POLICIES, PolicyPreset.DEFAULT.label()),
        100 * cache.control().settings().overheadTarget(),
        Topology.describe(configuration),
        smallBypassDramBytes == 0
            ? "off"
            : "below " + BinaryUnits.of(smallBypassDramBytes) + " of DRAM",
        settings.text(READ_MODE, "zero-copy"));
  }

  public static Duration summaryInterval(Configuration configuration) {
    return Duration.ofSeconds(
        settings(configuration).integer(SUMMARY_SECONDS, 300, 0, SECONDS_OF_A_DAY));
  }

  /** How the settings want blocks to be laid out and read. */
  public static BlockPayload payload(Configuration configuration) {
    return new BlockPayload(settings(configuration).constant(READ_MODE, ReadMode.class));
  }

  public static String mbeanName(Configuration configuration) {
    return settings(configuration).text(MBEAN_NAME, "hbase");
  }

  public static Topology topology(Configuration configuration) {
    return settings(configuration).constant(TOPOLOGY, Topology.class);
  }

  private BlockCacheBuilder chooseMedium(BlockCacheBuilder builder) {
    long capacityBytes = capacityBytes();
    String medium = common.applyMedium(builder, capacityBytes, "the server", LLPL);
    return medium.equals(LLPL)
        ? builder.medium(PersistentHeap.open(common.path(LLPL), capacityBytes))
        : builder;
  }

  private BlockCacheBuilder choosePolicies(BlockCacheBuilder builder) {
    refuseSmallBypass();
    PolicyPreset preset = common.applyPolicies(builder, EnumSet.allOf(LiveSetting.class));
    builder.admission(MetaFirst.over(admission(preset)));
    builder.maxBlockBytes(maxBlockBytes());
    builder.expectedBlockBytes(expectedBlockBytes());
    if (settings.isSet(CHECKSUM)) {
      builder.checksum(settings.constant(CHECKSUM, Checksum.class));
    }
    if (settings.isSet(RESTART)) {
      builder.restart(settings.constant(RESTART, Restart.class));
    }
    return builder;
  }

  /** Returns the files and devices of a cache on flash. */
  public static List<Path> drives(Configuration site) {
    NvCacheConfiguration configured = new NvCacheConfiguration(site);
    return configured.common.drives("flash", configured.capacityBytes()).stream()
        .map(FlashDrive::path)
        .toList();
  }

  private int maxBlockBytes() {
    return (int) settings.integer(MAX_BLOCK_BYTES, usualMaxBlockBytes(), 4096, 16 * MIB);
  }

  private int expectedBlockBytes() {
    int maxBlockBytes = maxBlockBytes();
    return (int)
        settings.integer(
            EXPECTED_BLOCK_BYTES,
            Math.min(HConstants.DEFAULT_BLOCKSIZE, maxBlockBytes),
            64,
            maxBlockBytes);
  }

  /** Returns the usual longest block, with room for HBase's usual blocks on any medium. */
  private long usualMaxBlockBytes() {
    return Math.max(MIB / 8, Math.min(MIB / 2, capacityBytes() / LONGEST_BLOCKS));
  }

  private long capacityBytes() {
    long longest =
        settings.isSet(MAX_BLOCK_BYTES)
            ? settings.integer(MAX_BLOCK_BYTES, 0, 4096, 16 * MIB)
            : MIB / 8;
    return settings.integer(CAPACITY_BYTES, 0, LEAST_BLOCKS * longest, Long.MAX_VALUE);
  }

  private AdmissionFactory admission(PolicyPreset preset) {
    return isOnlyDataCache ? NeverSmall.over(preset.admission()) : preset.admission();
  }

  /** Where data blocks are in no other cache. */
  private void refuseSmallBypass() {
    long bytes = settings.integer(SMALL_BYPASS_DRAM_BYTES, 0, 0, Long.MAX_VALUE);
    if (bytes > 0 && isOnlyDataCache) {
      throw new IllegalArgumentException(
          SMALL_BYPASS_DRAM_BYTES
              + " is '"
              + bytes
              + "'; it must be 0 where data blocks are in no other cache, since a bypass would"
              + " leave them in none; remove it, or have DRAM hold data blocks as well: "
              + TOPOLOGY
              + " = tiered, without IndexOnlyLRU");
    }
  }
}
