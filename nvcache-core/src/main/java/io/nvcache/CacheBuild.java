// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.background.Whereabouts;
import io.nvcache.control.LiveSetting;
import io.nvcache.control.Shadows;
import io.nvcache.control.TuningBounds;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.WorthEviction;
import io.nvcache.internal.Engine;
import io.nvcache.internal.EngineAssembly;
import io.nvcache.internal.guard.GuardSettings;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.space.Sizing;
import io.nvcache.jmx.NvCacheMBeanRegistration;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.Durability;
import io.nvcache.medium.EncryptedMedium;
import io.nvcache.medium.FlashArray;
import io.nvcache.medium.FlashDrive;
import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.ForeignFile;
import io.nvcache.medium.ForeignFileException;
import io.nvcache.medium.KeySource;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import io.nvcache.memory.Claims;
import io.nvcache.memory.Libraries;
import io.nvcache.shadow.LiveShadows;
import io.nvcache.shadow.PolicyPair;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The options of one cache, set by a {@link BlockCacheBuilder}, and its building from them. */
final class CacheBuild {
  private static final int MAX_DRIVE_WRITES = 1000;
  private static final int NAMED_FRAMES = 3;

  final EngineSettings thresholds = new EngineSettings();
  @Nullable MediumOpener medium;
  final Set<Path> overwritten = new HashSet<>();
  AdmissionFactory admission = AdmissionPresets.standard();
  EvictionFactory eviction = WorthEviction::new;

  /** 0: as the engine sizes it. */
  int expectedBlockBytes;

  /** 0: as the engine sizes it. */
  int maxBlockBytes;

  /** Null: as the medium likes it. */
  @Nullable BlockPlacement placement;

  /** Null: as the medium can. */
  @Nullable Restart restart;

  /** 0: never. */
  long discardBytesPerSecond;

  OptionalDouble writeHarm = OptionalDouble.empty();

  /** 0: the limit of a day is what it was set to. */
  double driveWritesPerDay;

  final Set<LiveSetting> chosen = EnumSet.noneOf(LiveSetting.class);
  boolean background = true;
  @Nullable String mbeanName;
  @Nullable TuningBounds tuningBounds;
  Consumer<Shadows> startShadows = shadows -> {};
  boolean encrypted;
  @Nullable KeySource keys;
  @Nullable Checksum checksum;
  int maxMediumFailures = 16;
  Duration mediumBackOff = Duration.ofSeconds(1);
  Duration mediumStuckAfter = Duration.ofSeconds(10);
  final TestHook.Installed testHooks = new TestHook.Installed();
  private boolean built;

  @FunctionalInterface
  interface MediumOpener {
    Medium open() throws IOException;
  }

  /** Has the medium opened by {@link #build}, once its size is found to suit the blocks. */
  void openLater(long capacityBytes, MediumOpener opener) {
    requireRange("capacityBytes", capacityBytes, 1, Long.MAX_VALUE);
    this.medium =
        () -> {
          requireSizes(capacityBytes);
          return opener.open();
        };
  }

  void openMapped(Path path, long capacityBytes) {
    openLater(
        capacityBytes,
        () -> MappedFileMedium.create(path, capacityBytes, CloseAction.KEEP, foreign(path)));
  }

  void openFlash(Path path, long capacityBytes) {
    openLater(
        capacityBytes,
        () -> FlashMedium.create(path, capacityBytes, CloseAction.KEEP, foreign(path)));
  }

  /** The same of several drives on flash; one is a medium by itself. */
  void openArray(List<FlashDrive> given) {
    List<FlashDrive> drives = List.copyOf(given);
    long capacityBytes = 0;
    for (FlashDrive drive : drives) {
      capacityBytes = Math.addExact(capacityBytes, drive.capacityBytes());
    }
    long sum = capacityBytes;
    openLater(
        sum,
        () ->
            drives.size() == 1
                ? FlashMedium.create(
                    drives.get(0).path(), sum, CloseAction.KEEP, foreign(drives.get(0).path()))
                : FlashArray.create(
                    drives, regionBytes(drives, sum), CloseAction.KEEP, this::foreign));
  }

  /**
   * Returns the longest regions that the engine will choose as well once each drive's remainder is
   * left out. The longest block must not change with that.
   */
  private int regionBytes(List<FlashDrive> drives, long sum) {
    maxBlockBytes = regions(sum, Sizing.MAX_REGION_BYTES).maxBlockBytes();
    int bytes = regions(sum, Sizing.MAX_REGION_BYTES).extentBytes();
    int least = regions(sum, 1).extentBytes() / 2;
    while (bytes > least && !suits(bytes, FlashArray.capacityBytes(drives, bytes))) {
      bytes /= 2;
    }
    return bytes;
  }

  private boolean suits(int regionBytes, long capacityBytes) {
    return capacityBytes >= Sizing.leastBytesInRegions(maxBlockBytes)
        && regions(capacityBytes, regionBytes).extentBytes() == regionBytes;
  }

  private Sizing regions(long capacityBytes, int wantedBytes) {
    return Sizing.ofRegions(capacityBytes, wantedBytes, 1, expectedBlockBytes, maxBlockBytes);
  }

  ForeignFile foreign(Path path) {
    return overwritten.contains(path) ? ForeignFile.OVERWRITTEN : ForeignFile.REFUSED;
  }

  /** Sets the limit of a day as a multiple of the capacity; the later of the two limits counts. */
  void limitDriveWrites(double writes) {
    if (!(writes >= 0 && writes <= MAX_DRIVE_WRITES)) {
      throw new IllegalArgumentException(
          "driveWritesPerDay is "
              + writes
              + "; it must be between 0 (no limit) and "
              + MAX_DRIVE_WRITES);
    }
    thresholds.setWriteLimitBytesPerDay(0);
    driveWritesPerDay = writes;
  }

  /** Starts shadows with the cache, with these candidates. */
  void shadows(Consumer<Shadows> start, String... candidates) {
    List<String> specs =
        LiveShadows.checkedCandidates(
            Arrays.asList(Objects.requireNonNull(candidates, "candidates")), CacheBuild::preset);
    startShadows =
        shadows -> {
          shadows.setCandidates(specs);
          start.accept(shadows);
        };
  }

  /** Builds the cache, as {@link BlockCacheBuilder#build} says. */
  BlockCache build() {
    if (built) {
      throw new IllegalStateException(
          "this builder has built its cache; begin with BlockCache.builder() for another one");
    }
    Libraries.require();
    try {
      if (mbeanName != null) { // Before the medium is touched, which may hold an earlier cache's.
        NvCacheMBeanRegistration.requireFree(mbeanName);
      }
      return buildOn(open());
    } catch (IllegalArgumentException e) {
      throw e.getCause() instanceof OutOfMemoryError ? tooLarge(e) : e;
    } catch (OutOfMemoryError e) {
      if (String.valueOf(e.getMessage()).contains("native thread")) {
        throw tooFewThreads(e);
      }
      throw e;
    }
  }

  private static IllegalStateException tooFewThreads(OutOfMemoryError refusal) {
    return new IllegalStateException(
        "the system gives this process no more threads, and the cache needs some: raise the limit"
            + " (pids.max of the container or the service, ulimit -u)",
        refusal);
  }

  private BlockCache buildOn(Medium opened) {
    AutoCloseable last = opened;
    try {
      Engine cache = assemble(opened);
      last = cache;
      start(cache);
      built = true;
      return cache;
    } catch (RuntimeException | Error e) {
      abandonAfter(e, opened);
      Claims.closeAfter(e, last);
      throw e;
    }
  }

  private static void abandonAfter(Throwable failure, Medium opened) {
    try {
      opened.abandon();
    } catch (RuntimeException | Error e) {
      failure.addSuppressed(e);
    }
  }

  /** Opens the medium for this cache alone. One that another cache has is left as it is. */
  private Medium open() {
    if (medium == null) {
      throw new IllegalArgumentException(
          "no medium was given; call nativeMemory, mappedFile, flash or medium");
    }
    try {
      Medium opened = medium.open();
      Medium own = encrypted ? EncryptedMedium.over(opened) : opened;
      Claims.take(own, "medium");
      return own;
    } catch (IOException e) {
      throw new UncheckedIOException(reason(e), e);
    }
  }

  private IllegalArgumentException tooLarge(IllegalArgumentException refusal) {
    return new IllegalArgumentException(
        refusal.getMessage() + ": lower " + thresholds.nameOf("capacityBytes"), refusal);
  }

  /**
   * In words; that a thread was interrupted in a channel shows in the class of the exception alone.
   */
  private String reason(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ClosedByInterruptException
          || cause instanceof FileLockInterruptionException) {
        return "the thread was interrupted while it opened the medium, which was given up;"
            + " clear the interrupt and build again";
      }
    }
    String reason = failure.getMessage() == null ? failure.toString() : failure.getMessage();
    return failure instanceof ForeignFileException
        ? reason + "; if it may be overwritten, set " + thresholds.nameOf("overwriting") + " to it"
        : reason;
  }

  private Engine assemble(Medium opened) {
    if (!chosen.contains(LiveSetting.MAX_PINNED_BYTES)) {
      thresholds.setMaxPinnedBytes(opened.capacityBytes() / 8);
    }
    if (driveWritesPerDay > 0) { // Never 0 bytes, which would be no limit.
      thresholds.setWriteLimitBytesPerDay(
          (long) Math.ceil(driveWritesPerDay * opened.capacityBytes()));
    }
    EngineAssembly assembly =
        new EngineAssembly(opened, thresholds, admission, eviction)
            .blockSizes(expectedBlockBytes, maxBlockBytes)
            .placement(placement)
            .restart(restart)
            .sealedBy(keys)
            .discardBytesPerSecond(discardBytesPerSecond)
            .hashSeed(testHooks.hashSeed)
            .bufferBytes(testHooks.bufferBytes)
            .writeHarm(writeHarm)
            .nanoTime(testHooks.nanoTime)
            .presets(CacheBuild::preset)
            .guards(guards(opened))
            .builtAt(caller());
    if (background) {
      assembly.maintainedInBackground();
    }
    return assembly.assemble();
  }

  /** Returns the innermost frames that called the builder, in words: an adapter and its host. */
  private static String caller() {
    return StackWalker.getInstance()
        .walk(
            frames ->
                frames
                    .dropWhile(frame -> frame.getClassName().equals(CacheBuild.class.getName()))
                    .skip(1) // The builder's own.
                    .limit(NAMED_FRAMES)
                    .map(frame -> Whereabouts.line(frame.toStackTraceElement()))
                    .collect(Collectors.joining(", called at ")));
  }

  private void start(Engine cache) {
    cache.start();
    startShadows.accept(cache.control().shadows());
    if (tuningBounds != null) {
      cache.control().tuning().start(tuningBounds);
    }
    if (mbeanName != null) {
      cache.control().addCompanion(NvCacheMBeanRegistration.register(cache, mbeanName));
    }
  }

  private static PolicyPair preset(String name) {
    PolicyPreset preset = PolicyPreset.named(name);
    return new PolicyPair(preset.admission(), preset.eviction(), preset.evictionWindow());
  }

  private GuardSettings guards(Medium opened) {
    Checksum byMedium = opened.durability() == Durability.NONE ? Checksum.NONE : Checksum.CRC32C;
    return new GuardSettings(
        checksum == null ? byMedium : checksum,
        maxMediumFailures,
        mediumBackOff,
        mediumStuckAfter,
        testHooks.debugChecks);
  }

  /** Before the medium is opened, which may mean to fill a large file. */
  private void requireSizes(long capacityBytes) {
    try {
      Sizing.of(capacityBytes, 1, expectedBlockBytes, maxBlockBytes);
      if (placement == BlockPlacement.REGIONS) {
        Sizing.ofRegions(
            capacityBytes, Sizing.MAX_REGION_BYTES, 1, expectedBlockBytes, maxBlockBytes);
      }
    } catch (IllegalArgumentException refusal) {
      throw thresholds.named(refusal);
    }
  }

  static void requireRange(String name, long value, long min, long max) {
    if (value < min || value > max) {
      throw new IllegalArgumentException(
          name + " is " + value + "; it must be between " + min + " and " + max);
    }
  }
}
