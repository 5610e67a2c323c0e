// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.CacheControl;
import io.nvcache.control.LiveSetting;
import io.nvcache.control.LiveSettings;
import io.nvcache.control.Shadows;
import io.nvcache.control.TuningBounds;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.WorthEviction;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.jmx.MBeanDomain;
import io.nvcache.medium.EncryptedMedium;
import io.nvcache.medium.FlashArray;
import io.nvcache.medium.FlashDrive;
import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.KeySource;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.memory.SystemMemory;
import io.nvcache.shadow.LiveShadows;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Configures and builds a {@link BlockCache}. All options except the medium have defaults;
 * docs/reference/generated/settings.md lists them with their ranges. Values are checked when set
 * or, where they depend on each other, once in {@link #build}; an {@link IllegalArgumentException}
 * names the value, the limit and the remedy. Not thread-safe. Builds one cache: a second {@link
 * #build} is refused.
 */
public final class BlockCacheBuilder {
  private static final int MAX_BLOCK_BYTES = 16 << 20;

  private final CacheBuild build = new CacheBuild();

  BlockCacheBuilder() {}

  /**
   * Caches on any medium that is open already. The cache owns it and closes it; nothing else may
   * use it.
   */
  public BlockCacheBuilder medium(Medium medium) {
    Objects.requireNonNull(medium, "medium");
    build.medium = () -> medium;
    return this;
  }

  /**
   * Caches in native memory. See {@link NativeMedium}.
   *
   * @param capacityBytes at least eight of the longest blocks
   */
  public BlockCacheBuilder nativeMemory(long capacityBytes) {
    build.openLater(capacityBytes, () -> NativeMedium.allocate(capacityBytes));
    return this;
  }

  /**
   * Caches in a mapped file that {@link #build} creates and fills: {@link MappedFileMedium}.
   *
   * @param capacityBytes at least eight of the longest blocks
   */
  public BlockCacheBuilder mappedFile(Path path, long capacityBytes) {
    build.openMapped(Objects.requireNonNull(path, "path"), capacityBytes);
    return this;
  }

  /**
   * Caches in a file or on a block device of a local SSD, past the page cache; taken over and, if
   * need be, filled by {@link #build}. See {@link FlashMedium}. Of several calls that choose a
   * medium, the last counts.
   *
   * @param capacityBytes at least eight of the longest blocks
   */
  public BlockCacheBuilder flash(Path path, long capacityBytes) {
    build.openFlash(Objects.requireNonNull(path, "path"), capacityBytes);
    return this;
  }

  /**
   * Caches on several files or devices, up to 64, which share the capacity evenly.
   *
   * @param capacityBytes of all together
   */
  public BlockCacheBuilder flash(List<Path> paths, long capacityBytes) {
    return flash(FlashDrive.sharing(paths, capacityBytes));
  }

  /**
   * Caches on several files or devices as one, each with its own capacity. See {@link FlashArray}.
   */
  public BlockCacheBuilder flash(List<FlashDrive> drives) {
    build.openArray(Objects.requireNonNull(drives, "drives"));
    return this;
  }

  /**
   * Lets {@link #mappedFile} and {@link #flash} overwrite a file that no cache is known to have
   * written, which {@link #build} refuses otherwise. A block device that holds such bytes is
   * refused in any case. For several files, call it for each.
   *
   * @param path the path of that file again; any other file stays as it is
   */
  public BlockCacheBuilder overwriting(Path path) {
    build.overwritten.add(Objects.requireNonNull(path, "path"));
    return this;
  }

  /**
   * Sets how blocks are placed on the medium. Default {@link BlockPlacement#REGIONS} on {@link
   * #flash}, if it has room for 16 regions of four of the longest blocks each and is not encrypted;
   * else {@link BlockPlacement#IN_PLACE}.
   */
  public BlockCacheBuilder placement(BlockPlacement placement) {
    build.placement = Objects.requireNonNull(placement, "placement");
    return this;
  }

  /**
   * Sets whether the cache finds the blocks of {@linkplain BlockCache#identify identified} files
   * that an earlier cache left on the medium, and leaves its own to the next. Default {@link
   * Restart#WARM} where possible: in {@link BlockPlacement#REGIONS} on {@link #flash}, and on other
   * media that want regions and are {@linkplain Medium#durability durable}. Else {@link
   * Restart#COLD}, and {@link #build} refuses {@code WARM}. A cache that starts cold on such a
   * medium erases what an earlier one left.
   */
  public BlockCacheBuilder restart(Restart restart) {
    build.restart = Objects.requireNonNull(restart, "restart");
    return this;
  }

  /**
   * Has the medium discard, in the background and at most at this rate, regions that have no live
   * block and will not be filled soon, as after much of the cache was invalidated. Default 0:
   * never. On {@link #flash} it needs Linux and JDK 22 or later. In a file, it returns space to the
   * file system: a later write there may find the disk full. A failed discard is counted and
   * logged, and is the last one.
   *
   * <p>Only for {@link BlockPlacement#REGIONS}; {@link #build} refuses others, and media that can't
   * discard.
   *
   * @param bytes 0 or more
   */
  public BlockCacheBuilder discardBytesPerSecond(long bytes) {
    CacheBuild.requireRange("discardBytesPerSecond", bytes, 0, Long.MAX_VALUE);
    build.discardBytesPerSecond = bytes;
    return this;
  }

  /**
   * Encrypts the blocks on the medium under a key that ends with the process. See {@link
   * EncryptedMedium}.
   */
  public BlockCacheBuilder encrypted() {
    build.encrypted = true;
    build.keys = null;
    return this;
  }

  /**
   * Encrypts the blocks, and what regions record of them, under a key that is kept on the medium,
   * wrapped by a key from outside: the next cache with the same source finds the blocks again. Only
   * for {@link BlockPlacement#REGIONS}; {@link #build} refuses others, and fails if no key can be
   * wrapped.
   */
  public BlockCacheBuilder encrypted(KeySource keys) {
    build.keys = Objects.requireNonNull(keys, "keys");
    build.encrypted = false;
    return this;
  }

  /** Sets which blocks to write to the medium; default {@link AdmissionPresets#standard}. */
  public BlockCacheBuilder admission(AdmissionFactory admission) {
    build.admission = Objects.requireNonNull(admission, "admission");
    return this;
  }

  /** Sets which blocks are evicted; default {@link WorthEviction}. */
  public BlockCacheBuilder eviction(EvictionFactory eviction) {
    build.eviction = Objects.requireNonNull(eviction, "eviction");
    return this;
  }

  /**
   * Sets admission, eviction and its window, all at once, by the name of a {@link PolicyPreset};
   * default {@link PolicyPreset#DEFAULT}. Calls to {@link #admission}, {@link #eviction} and {@link
   * #evictionWindow} that come later override it. The paper's presets turn the small bypass on,
   * with the memory of the machine, unless {@link #smallBypassDramBytes} is called, before or
   * after.
   */
  public BlockCacheBuilder policies(PolicyPreset preset) {
    Objects.requireNonNull(preset, "preset");
    admission(preset.admission()).eviction(preset.eviction());
    evictionWindow(preset.evictionWindow());
    if (!build.chosen.contains(LiveSetting.SMALL_BYPASS_DRAM_BYTES)) {
      build.thresholds.setSmallBypassDramBytes(
          preset.bypassesSmallData() ? SystemMemory.totalBytes() : EngineSettings.BYPASS_OFF);
    }
    return this;
  }

  /**
   * Sets the first value of a live setting, as the option of its name does.
   *
   * @param value of the setting's type
   */
  public BlockCacheBuilder set(LiveSetting setting, Object value) {
    build.thresholds.set(setting, value);
    build.chosen.add(setting);
    if (setting == LiveSetting.WRITE_LIMIT_BYTES_PER_DAY) {
      build.driveWritesPerDay = 0;
    }
    return this;
  }

  /**
   * Sets the {@linkplain LiveSettings#setOverheadTarget overhead target}; default 0.10, which is 10
   * %. More than 1 is accepted with a warning in the log.
   *
   * @param ratio 0 to 10
   */
  public BlockCacheBuilder overheadTarget(double ratio) {
    return set(LiveSetting.OVERHEAD_TARGET, ratio);
  }

  /**
   * Sets the overhead target that {@code nvcache calibrate --json} found for the medium; a target
   * set afterwards wins. {@link Calibration#read} reads its file. See
   * docs/reference/calibration.md.
   */
  public BlockCacheBuilder calibration(Calibration calibration) {
    build.writeHarm = Objects.requireNonNull(calibration, "calibration").writeHarm();
    build.thresholds.setCalibratedTarget(calibration.overheadTarget());
    return this;
  }

  /**
   * Turns the small bypass on: see {@link LiveSettings#setSmallBypassDramBytes(long)}. Default 0,
   * off; with {@link #policies} of the paper, the memory of the machine.
   *
   * @param bytes that the page cache may fill, 0 or more
   */
  public BlockCacheBuilder smallBypassDramBytes(long bytes) {
    return set(LiveSetting.SMALL_BYPASS_DRAM_BYTES, bytes);
  }

  /**
   * Sets {@linkplain LiveSettings#setSmallBypassFraction the fraction} of the data set that must
   * fit in that DRAM; default 0.5.
   *
   * @param ratio more than 0, at most 1
   */
  public BlockCacheBuilder smallBypassFraction(double ratio) {
    return set(LiveSetting.SMALL_BYPASS_FRACTION, ratio);
  }

  /**
   * Sets the {@linkplain LiveSettings#setEvictionWindow eviction window} of the paper's eviction;
   * default 1800 s.
   *
   * @param window 1 s to 365 days
   */
  public BlockCacheBuilder evictionWindow(Duration window) {
    return set(LiveSetting.EVICTION_WINDOW, Objects.requireNonNull(window, "window"));
  }

  /**
   * Sets the {@linkplain LiveSettings#setImportantShare share} of the capacity in which important
   * blocks are not evicted; default 0.1.
   *
   * @param ratio 0 to 0.9
   */
  public BlockCacheBuilder importantShare(double ratio) {
    return set(LiveSetting.IMPORTANT_SHARE, ratio);
  }

  /**
   * Sets {@linkplain LiveSettings#setFullTarget how full} the paper's eviction keeps the medium;
   * default 0.95.
   *
   * @param ratio 0.01 to 1
   */
  public BlockCacheBuilder fullTarget(double ratio) {
    return set(LiveSetting.FULL_TARGET, ratio);
  }

  /**
   * Sets the expected mean length of blocks, from which the index is sized. It does not grow: if
   * blocks are shorter, the index is full before the medium is. The default admission counts a
   * longer block as several writes. Default 16 KiB, or {@link #maxBlockBytes} if that is less.
   *
   * @param bytes 64 to 16 MiB, and at most {@link #maxBlockBytes}, which {@link #build} checks
   */
  public BlockCacheBuilder expectedBlockBytes(int bytes) {
    CacheBuild.requireRange("expectedBlockBytes", bytes, 64, MAX_BLOCK_BYTES);
    build.expectedBlockBytes = bytes;
    return this;
  }

  /**
   * Sets the longest block to cache; offers of longer ones return {@link OfferResult#TOO_LARGE}.
   * Default 1/64 of the capacity, in regions 1/256, at least 4 KiB or {@link #expectedBlockBytes}
   * and at most 1 MiB. More than 1/64 is accepted with a warning in the log, and more than 1/8 is
   * refused by {@link #build}.
   *
   * @param bytes 4 KiB to 16 MiB
   */
  public BlockCacheBuilder maxBlockBytes(int bytes) {
    CacheBuild.requireRange("maxBlockBytes", bytes, 4096, MAX_BLOCK_BYTES);
    build.maxBlockBytes = bytes;
    return this;
  }

  /**
   * Sets the bytes that {@link BlockCache#pin} may hold at once; a single thread may use three
   * quarters of them. Default 1/8 of the capacity.
   *
   * @param bytes 0 (no pins) or more
   */
  public BlockCacheBuilder maxPinnedBytes(long bytes) {
    return set(LiveSetting.MAX_PINNED_BYTES, bytes);
  }

  /**
   * Limits {@linkplain LiveSettings#setWriteLimitBytesPerSecond writes per second}; default 0, no
   * limit.
   *
   * @param bytes of the device, 0 or more
   */
  public BlockCacheBuilder writeLimitBytesPerSecond(long bytes) {
    return set(LiveSetting.WRITE_LIMIT_BYTES_PER_SECOND, bytes);
  }

  /**
   * Limits {@linkplain LiveSettings#setWriteLimitBytesPerDay writes per day}; default 0, no limit.
   *
   * @param bytes of the device, 0 or more
   */
  public BlockCacheBuilder writeLimitBytesPerDay(long bytes) {
    return set(LiveSetting.WRITE_LIMIT_BYTES_PER_DAY, bytes);
  }

  /**
   * Sets the limit of a day to this many times the capacity. With the drive's rating, the cache
   * uses the same share of the drive's endurance as of its space. The later of this call and {@link
   * #writeLimitBytesPerDay} counts.
   *
   * @param writes 0 (no limit) to 1000
   */
  public BlockCacheBuilder driveWritesPerDay(double writes) {
    build.limitDriveWrites(writes);
    return this;
  }

  /**
   * Sets the checksum of each block, by which the cache detects bytes that the medium has changed:
   * four bytes of DRAM for each slot of the index. Default {@link Checksum#CRC32C} on media that
   * keep bytes longer than the process lives, which lie in files, and {@link Checksum#NONE} on
   * plain memory. In regions each block has one, whatever is set.
   */
  public BlockCacheBuilder checksum(Checksum checksum) {
    build.checksum = Objects.requireNonNull(checksum, "checksum");
    return this;
  }

  /**
   * Sets {@linkplain LiveSettings#setVerifiedReads how many reads} of regions are compared with the
   * checksum again; default 0.0625. 1 verifies each read.
   *
   * @param ratio 0 to 1
   */
  public BlockCacheBuilder verifiedReads(double ratio) {
    return set(LiveSetting.VERIFIED_READS, ratio);
  }

  /**
   * Sets the number of failures of the medium after which the cache goes out of service, unless
   * lookups and offers have succeeded more often in the same time. Default 16.
   *
   * @param failures 1 or more
   */
  public BlockCacheBuilder maxMediumFailures(int failures) {
    CacheBuild.requireRange("maxMediumFailures", failures, 1, Integer.MAX_VALUE);
    build.maxMediumFailures = failures;
    return this;
  }

  /**
   * Sets how long a cache that went out of service waits before it tries its medium again; doubled
   * each time that it fails at once, up to 256 times this. Default 1 s.
   *
   * @param backOff 1 ms to 1 h
   */
  public BlockCacheBuilder mediumBackOff(Duration backOff) {
    build.mediumBackOff =
        DurationRange.check("mediumBackOff", Objects.requireNonNull(backOff, "backOff"));
    return this;
  }

  /**
   * Sets how long a call may take before the medium counts as hanging and the cache goes out of
   * service. Also how long {@link BlockCache#close} waits for running calls before it leaves the
   * freeing of memory to the last of them, and {@code invalidate} for records that must outlive a
   * restart. Default 10 s.
   *
   * @param limit 1 ms to 1 h
   */
  public BlockCacheBuilder mediumStuckAfter(Duration limit) {
    build.mediumStuckAfter =
        DurationRange.check("mediumStuckAfter", Objects.requireNonNull(limit, "limit"));
    return this;
  }

  /**
   * For tests and debugging: replaces the seed of the hashes, the clock, and which checks run.
   * Hooks of an earlier call stay; of two of one kind the later counts.
   */
  public BlockCacheBuilder testing(TestHook... hooks) {
    Objects.requireNonNull(hooks, "hooks");
    for (TestHook hook : hooks) {
      Objects.requireNonNull(hook, "hooks has a null").install(build.testHooks);
    }
    return this;
  }

  /** Starts no thread: the caller calls {@link CacheControl#maintain} about once a second. */
  public BlockCacheBuilder maintainedByCaller() {
    build.background = false;
    return this;
  }

  /**
   * Starts {@linkplain CacheControl#shadows shadows} together with the cache, on a sample whose
   * ratio it chooses: its own policies at other sizes, and candidates.
   *
   * @param candidates as in {@link Shadows#setCandidates(List)}
   * @throws IllegalArgumentException if a candidate is invalid
   */
  public BlockCacheBuilder shadows(String... candidates) {
    build.shadows(Shadows::chooseSampleRatio, candidates);
    return this;
  }

  /**
   * Starts shadows on a sample of a given ratio; sets the candidates alone if it is 0.
   *
   * @param ratio as in {@link Shadows#setSampleRatio(double)}
   * @param candidates as in {@link Shadows#setCandidates(List)}
   * @throws IllegalArgumentException if the ratio is out of range, or a candidate is invalid
   */
  public BlockCacheBuilder shadows(double ratio, String... candidates) {
    double checked = LiveShadows.checkedRatio(ratio);
    build.shadows(shadows -> shadows.setSampleRatio(checked), candidates);
    return this;
  }

  /**
   * Starts {@linkplain CacheControl#tuning tuning} together with the cache. It uses the shadows.
   */
  public BlockCacheBuilder tuning(TuningBounds bounds) {
    build.tuningBounds = Objects.requireNonNull(bounds, "bounds");
    return this;
  }

  /**
   * Has logs, health and errors name settings as the operator knows them, such as by keys of a
   * host's configuration.
   *
   * @param names by this builder's option, such as {@code smallBypassDramBytes}, the operator's
   *     name; missing options keep theirs
   */
  public BlockCacheBuilder settingNames(Map<String, String> names) {
    build.thresholds.names(Objects.requireNonNull(names, "names"));
    return this;
  }

  /**
   * Registers the cache with JMX as {@code io.nvcache:type=BlockCache,name=…} until it is closed.
   * Default: not registered.
   *
   * @throws IllegalArgumentException if the name is blank
   */
  public BlockCacheBuilder registerMBean(String name) {
    MBeanDomain.STANDALONE.objectName(Objects.requireNonNull(name, "name"));
    build.mbeanName = name;
    return this;
  }

  /**
   * Opens the medium and builds the cache. If that fails, the medium is closed, everything made for
   * the cache is removed, and a file that existed before stays.
   *
   * @throws IllegalArgumentException if options contradict each other, or the system refuses the
   *     memory
   * @throws IllegalStateException if this builder has built a cache before, the medium or a policy
   *     belongs, or belonged, to another cache, the MBean's name is taken, the JVM denies what the
   *     cache or its medium needs (names the flags), the system refuses threads, or a library on
   *     the class path is older than the cache needs (names both versions)
   * @throws UncheckedIOException if the medium can't be opened
   */
  public BlockCache build() {
    return build.build();
  }
}
