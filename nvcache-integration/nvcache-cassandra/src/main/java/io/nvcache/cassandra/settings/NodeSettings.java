// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.settings;

import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.Checksum;
import io.nvcache.PolicyPreset;
import io.nvcache.Restart;
import io.nvcache.control.LiveSetting;
import io.nvcache.host.CacheSettings;
import io.nvcache.host.KnownKeys;
import io.nvcache.host.TextSettings;
import io.nvcache.medium.FlashDrive;
import io.nvcache.stats.BinaryUnits;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The settings of the cache of a node. Only {@link #CAPACITY_BYTES} must be given. A value out of
 * range, or a key that is none, is an {@link IllegalArgumentException} that names the key, the
 * value, the range and the remedy in one line.
 *
 * @param cache what to build, not yet built: on a node that locks its memory, what is mapped early
 *     becomes resident at once
 * @param mayKeepBlocks whether the next process may find blocks of this one
 * @param description the medium and the policies; logged
 * @param tables whose files to cache
 * @param compactionHeat whether to follow the heat of compactions
 * @param prometheus where to listen for Prometheus; null for nowhere
 * @param summaryInterval how often to log a summary; zero for never
 */
public record NodeSettings(
    BlockCacheBuilder cache,
    boolean mayKeepBlocks,
    String description,
    TableFilter tables,
    boolean compactionHeat,
    @Nullable InetSocketAddress prometheus,
    Duration summaryInterval) {
  /** What every key begins with. */
  private static final String PREFIX = "nvcache.";

  /** Whether to do anything at all: {@code true} (the default) or {@code false}. */
  static final String ENABLED = "nvcache.enabled";

  /**
   * What to cache on: {@code native} memory (the default), a {@code mapped} file, or {@code flash},
   * a file or block device of a local SSD.
   */
  public static final String MEDIUM = "nvcache.medium";

  /**
   * The file of {@code mapped} or {@code flash}; its directory must exist. For {@code flash} also a
   * block device, or several, with commas between them, each alone or as {@code PATH=BYTES}; one of
   * the directories must exist. Refused where the medium is {@code native}.
   */
  public static final String PATH = "nvcache.path";

  /**
   * How much to cache, in bytes, without a unit; must be set. At least 16 of the longest chunks.
   */
  public static final String CAPACITY_BYTES = "nvcache.capacity.bytes";

  /**
   * What to admit and evict: {@code default}, {@code paper}, {@code paper-20}, {@code paper-4},
   * {@code decaying} or {@code admit-all}, the labels of {@link PolicyPreset}.
   */
  public static final String POLICIES = "nvcache.policies";

  /** Medium writes per lookup above which nothing is admitted, 0 to 10; default 0.10. */
  static final String OVERHEAD_TARGET = "nvcache.overhead.target";

  /**
   * A file of {@code nvcache calibrate --json}, which has its overhead target; the setting above
   * wins.
   */
  static final String CALIBRATION = "nvcache.calibration";

  /** Bytes that the medium's device may write in a second; default 0, no limit. */
  static final String WRITE_LIMIT_SECOND_BYTES = "nvcache.write.limit.second.bytes";

  /** Bytes that the medium's device may write in a day; default 0, no limit. */
  static final String WRITE_LIMIT_DAY_BYTES = "nvcache.write.limit.day.bytes";

  /**
   * The limit of a day as a multiple of the capacity, 0 (no limit) to 1000: a drive's rating. The
   * setting above wins.
   */
  static final String DRIVE_WRITES_PER_DAY = "nvcache.drive.writes.per.day";

  /**
   * DRAM that the page cache may fill; used by the small bypass: the machine's less heap, off-heap
   * memory and other processes. Default 0, off.
   */
  public static final String SMALL_BYPASS_DRAM_BYTES = "nvcache.smallbypass.dram.bytes";

  /** The part of the data that has to fit in that DRAM, above 0, to 1; default 0.5. */
  static final String SMALL_BYPASS_FRACTION = "nvcache.smallbypass.fraction";

  /**
   * The mean length of a chunk on disk, from 64 B to the longest; sizes the index. Default 8 KiB,
   * or the longest if that is less.
   */
  static final String EXPECTED_BLOCK_BYTES = "nvcache.block.expected.bytes";

  /**
   * The longest chunk to cache, 4 KiB to 16 MiB; default 256 KiB, or 1/64 of the capacity if that
   * is less.
   */
  static final String MAX_BLOCK_BYTES = "nvcache.block.max.bytes";

  /**
   * The part of the reads from flash that compare a chunk of whole pages with its checksum again, 0
   * to 1 (each read); default 0.0625.
   */
  static final String VERIFIED_READS = "nvcache.verified.reads";

  /**
   * Keyspaces, or {@code keyspace.table}s, to cache and no others; default all. Names are separated
   * by commas, semicolons or blanks; on the agent's line, where a comma ends a setting, by
   * semicolons.
   */
  static final String INCLUDE = "nvcache.include";

  /**
   * Keyspaces, or {@code keyspace.table}s, not to cache; wins over the line above. Default {@code
   * system}, {@code system_schema}, {@code system_auth}, {@code system_distributed}, {@code
   * system_traces}.
   */
  static final String EXCLUDE = "nvcache.exclude";

  /**
   * Whether the hot chunks of a compaction's output are read back: {@code true} (the default), or
   * {@code false}, and then nothing is woven for it.
   */
  public static final String COMPACTION_HEAT = "nvcache.compaction.heat";

  /**
   * Whether blocks are found again after a restart: {@code warm}, the default on flash, or {@code
   * cold}, the default and the only choice elsewhere.
   */
  static final String RESTART = "nvcache.restart";

  /**
   * A file of 32 random bytes, on another device, under which the blocks on flash are encrypted;
   * the next node with the same file finds them again. Default none, and no encryption.
   */
  static final String KEY_FILE = "nvcache.key.file";

  /**
   * The path of the medium's file, once more, or several, if it may be overwritten though it holds
   * something that no cache is known to have written; default none.
   */
  static final String OVERWRITE = "nvcache.overwrite";

  /** Seconds between two summaries in the log, 0 for none; default 300. */
  static final String SUMMARY_SECONDS = "nvcache.summary.seconds";

  /**
   * The port of an HTTP endpoint {@code /metrics} for Prometheus, for nodes without an exporter; 0,
   * the default, for none.
   */
  static final String PROMETHEUS_PORT = "nvcache.prometheus.port";

  /**
   * The address that it listens on, without a login; default 127.0.0.1. A request that takes longer
   * than 5 s is dropped.
   */
  static final String PROMETHEUS_ADDRESS = "nvcache.prometheus.address";

  /** The others matter to the paper's eviction and to pins alone, and are set over JMX. */
  private static final Set<LiveSetting> LIVE =
      EnumSet.complementOf(
          EnumSet.of(
              LiveSetting.EVICTION_WINDOW, LiveSetting.FULL_TARGET, LiveSetting.MAX_PINNED_BYTES));

  private static final KnownKeys KEYS =
      CacheSettings.keys(
          PREFIX,
          LIVE,
          ENABLED,
          CAPACITY_BYTES,
          EXPECTED_BLOCK_BYTES,
          MAX_BLOCK_BYTES,
          INCLUDE,
          EXCLUDE,
          COMPACTION_HEAT,
          RESTART,
          PROMETHEUS_PORT,
          PROMETHEUS_ADDRESS,
          SUMMARY_SECONDS);

  private static final int MIB = 1 << 20;

  /** Longest chunks that a medium has to hold to be of use. */
  private static final int LEAST_BLOCKS = 16;

  /** Longest chunks that fit a medium that carries chunks of mixed sizes well. */
  private static final int LONGEST_BLOCKS = 64;

  private static final int MAX_PORT = 65_535;
  private static final int SECONDS_OF_A_DAY = 86_400;

  private static TextSettings settings(Properties given) {
    return new TextSettings(given::getProperty, "the settings of the agent");
  }

  /** Whether the settings ask for a cache. */
  public static boolean enabled(Properties given) {
    return settings(given).isTrue(ENABLED);
  }

  /** Checks all settings. */
  public static NodeSettings of(Properties given) {
    KEYS.check(new TreeSet<>(given.stringPropertyNames()));
    TextSettings settings = settings(given);
    BlockCacheBuilder builder =
        BlockCache.builder().settingNames(CacheSettings.settingNames(PREFIX));
    String description = chooseMedium(settings, builder) + choosePolicies(settings, builder);
    TableFilter tables =
        new TableFilter(
            settings.names(INCLUDE, Set.of()), settings.names(EXCLUDE, TableFilter.CASSANDRAS_OWN));
    Duration summaries =
        Duration.ofSeconds(settings.integer(SUMMARY_SECONDS, 300, 0, SECONDS_OF_A_DAY));
    boolean mayKeepBlocks = chooseRestart(settings, builder);
    boolean compactionHeat = settings.isTrue(COMPACTION_HEAT);
    return new NodeSettings(
        builder,
        mayKeepBlocks,
        description,
        tables,
        compactionHeat,
        prometheus(settings),
        summaries);
  }

  /** Says in words what was built; logged at the start. */
  public String describe(BlockCache built) {
    long smallBypassDramBytes = built.control().settings().smallBypassDramBytes();
    return String.format(
        Locale.ROOT,
        "%s %s, overhead target %.4g %%, small bypass %s",
        BinaryUnits.of(built.stats().capacityBytes()),
        description,
        100 * built.control().settings().overheadTarget(),
        smallBypassDramBytes == 0
            ? "off"
            : "below " + BinaryUnits.of(smallBypassDramBytes) + " of DRAM");
  }

  /** Returns whether the medium may keep blocks beyond the process. */
  private static boolean chooseRestart(TextSettings settings, BlockCacheBuilder builder) {
    boolean onFlash = settings.choice(MEDIUM, "native", "mapped", "flash").equals("flash");
    String restart =
        onFlash
            ? settings.choice(RESTART, "warm", "cold")
            : settings.choice(RESTART, "cold", "warm");
    boolean warm = restart.equals("warm");
    if (warm && !onFlash) {
      throw new IllegalArgumentException(
          RESTART
              + " is 'warm'; only blocks on flash are found again: set "
              + MEDIUM
              + " to flash");
    }
    if (settings.isSet(RESTART)) {
      builder.restart(warm ? Restart.WARM : Restart.COLD);
    }
    return warm;
  }

  private static @Nullable InetSocketAddress prometheus(TextSettings settings) {
    int port = (int) settings.integer(PROMETHEUS_PORT, 0, 0, MAX_PORT);
    if (port == 0) {
      return null;
    }
    InetSocketAddress address =
        new InetSocketAddress(settings.text(PROMETHEUS_ADDRESS, "127.0.0.1"), port);
    if (address.isUnresolved()) {
      throw settings.outOfRange(PROMETHEUS_ADDRESS, "a name or number of this machine");
    }
    return address;
  }

  private static String chooseMedium(TextSettings settings, BlockCacheBuilder builder) {
    settings.required(CAPACITY_BYTES, "set it to the bytes that the node may use for the cache");
    long longest = settings.integer(MAX_BLOCK_BYTES, MIB / 4, 4096, 16 * MIB);
    long capacityBytes =
        settings.integer(CAPACITY_BYTES, 0, LEAST_BLOCKS * longest, Long.MAX_VALUE);
    long maxBlockBytes =
        settings.isSet(MAX_BLOCK_BYTES)
            ? longest
            : Math.min(longest, capacityBytes / LONGEST_BLOCKS);
    // On every medium: for uncompressed tables nothing else detects a changed byte.
    builder.checksum(Checksum.CRC32C);
    builder.maxBlockBytes((int) maxBlockBytes);
    builder.expectedBlockBytes(
        (int)
            settings.integer(
                EXPECTED_BLOCK_BYTES, Math.min(8192, maxBlockBytes), 64, maxBlockBytes));
    String medium = common(settings).applyMedium(builder, capacityBytes, "the node");
    if (medium.equals("native")) {
      return "of native memory";
    }
    String place = common(settings).path(medium).toString();
    List<Path> paths =
        medium.equals("flash")
            ? common(settings).drives(medium, capacityBytes).stream().map(FlashDrive::path).toList()
            : List.of(Path.of(place));
    if (paths.stream().noneMatch(NodeSettings::hasDirectory)) {
      throw new IllegalArgumentException(
          PATH + " is '" + place + "'; its directory must exist and be writable; create it");
    }
    return (medium.equals("flash") ? "of flash at " : "mapped from ") + place;
  }

  /** Returns whether the file's directory exists. Of several drives, one may be missing. */
  private static boolean hasDirectory(Path file) {
    Path directory = file.toAbsolutePath().getParent();
    return directory != null && Files.isDirectory(directory) && Files.isWritable(directory);
  }

  private static CacheSettings common(TextSettings settings) {
    return new CacheSettings(settings, PREFIX);
  }

  private static String choosePolicies(TextSettings settings, BlockCacheBuilder builder) {
    return ", policies " + common(settings).applyPolicies(builder, LIVE).label();
  }
}
