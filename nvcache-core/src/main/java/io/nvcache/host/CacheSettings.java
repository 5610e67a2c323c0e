// SPDX-License-Identifier: Apache-2.0
package io.nvcache.host;

import io.nvcache.BlockCacheBuilder;
import io.nvcache.Calibration;
import io.nvcache.PolicyPreset;
import io.nvcache.control.LiveSetting;
import io.nvcache.medium.FlashDrive;
import io.nvcache.medium.KeyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The settings of a cache that hosts have in common, under the prefix of a host: the settings of
 * {@link LiveSetting} and {@code medium}, {@code path}, {@code key.file}, {@code overwrite}, {@code
 * policies}, {@code calibration} and {@code drive.writes.per.day}.
 */
public final class CacheSettings {
  private static final String[] COMMON = {
    "medium", "path", "key.file", "overwrite", "policies", "calibration", "drive.writes.per.day"
  };

  private static final Pattern SIZED_PATH = Pattern.compile("(.+)=(\\d+)");

  private static final int MAX_DRIVE_WRITES = 1000;

  private final TextSettings settings;
  private final String prefix;

  /**
   * Reads settings of a host.
   *
   * @param prefix what the host's keys begin with
   */
  public CacheSettings(TextSettings settings, String prefix) {
    this.settings = settings;
    this.prefix = prefix;
  }

  /**
   * Returns the keys of a host: the common ones, its live settings', and its own.
   *
   * @param prefix what the host's keys begin with
   */
  public static KnownKeys keys(String prefix, Set<LiveSetting> live, String... own) {
    Stream<String> common =
        Stream.concat(Stream.of(COMMON), live.stream().map(LiveSetting::key)).map(prefix::concat);
    return new KnownKeys(Stream.concat(common, Arrays.stream(own)).toList());
  }

  /**
   * Returns a host's keys by what the engine's messages call them otherwise.
   *
   * @param prefix what the host's keys begin with
   */
  public static Map<String, String> settingNames(String prefix) {
    return Map.of(
        "capacityBytes",
        prefix + "capacity.bytes",
        "maxBlockBytes",
        prefix + "block.max.bytes",
        "overwriting",
        prefix + "overwrite",
        LiveSetting.SMALL_BYPASS_DRAM_BYTES.settingName(),
        prefix + LiveSetting.SMALL_BYPASS_DRAM_BYTES.key());
  }

  private String key(String end) {
    return prefix + end;
  }

  /**
   * Sets the medium, and what belongs to its file, unless it is one of the host's own.
   *
   * @param reader who has to read a file of a key: the node, say
   * @param own further media of the host, which it sets itself
   * @return the word of the medium that was chosen: native, mapped, flash, or one of the host's own
   */
  public String applyMedium(
      BlockCacheBuilder builder, long capacityBytes, String reader, String... own) {
    String[] words =
        Stream.concat(Stream.of("native", "mapped", "flash"), Arrays.stream(own))
            .toArray(String[]::new);
    String medium = settings.choice(key("medium"), words);
    if (settings.isSet(key("key.file"))) {
      String file = settings.text(key("key.file"), "");
      builder.encrypted(KeyFile.ofSetting(key("key.file"), file, key("medium"), medium, reader));
    }
    if (settings.isSet(key("overwrite"))) {
      parts(settings.text(key("overwrite"), ""))
          .forEach(path -> builder.overwriting(Path.of(path)));
    }
    switch (medium) {
      case "native" -> builder.nativeMemory(withoutPath(capacityBytes, words));
      case "mapped" -> builder.mappedFile(path(medium), capacityBytes);
      case "flash" -> builder.flash(drives(medium, capacityBytes));
      default -> {} // The host's own.
    }
    return medium;
  }

  /**
   * Returns the files or devices that flash needs: one, or several with commas between them, each
   * of which may have its own share of the capacity, as {@code PATH=BYTES}. Those that don't share
   * what is left evenly.
   */
  public List<FlashDrive> drives(String medium, long capacityBytes) {
    List<String> parts = parts(path(medium).toString());
    List<FlashDrive> sized = new ArrayList<>();
    List<Path> others = new ArrayList<>();
    List<Path> order = new ArrayList<>();
    for (String part : parts) {
      Matcher matcher = SIZED_PATH.matcher(part);
      Path path = Path.of(matcher.matches() ? matcher.group(1) : part);
      order.add(path);
      if (matcher.matches()) {
        sized.add(new FlashDrive(path, bytes(matcher.group(2))));
      } else {
        others.add(path);
      }
    }
    long left = capacityBytes;
    for (FlashDrive drive : sized) { // A sum could be any number.
      left = drive.capacityBytes() > left ? -1 : left - drive.capacityBytes();
    }
    if (left < others.size() || (others.isEmpty() && left > 0)) {
      throw settings.outOfRange(
          key("path"),
          "paths whose bytes add up to "
              + key("capacity.bytes")
              + ", which is "
              + capacityBytes
              + (others.isEmpty() ? "" : ", or to less, so that some are left for the others"));
    }
    if (!others.isEmpty()) {
      sized.addAll(FlashDrive.sharing(others, left));
    }
    sized.sort(Comparator.comparingInt(drive -> order.indexOf(drive.path())));
    return sized;
  }

  private long bytes(String digits) {
    try {
      long bytes = Long.parseLong(digits);
      if (bytes > 0) {
        return bytes;
      }
    } catch (NumberFormatException e) {
      // As many as no drive has.
    }
    throw settings.outOfRange(key("path"), "paths, each alone or with =BYTES, above 0, behind it");
  }

  private static List<String> parts(String list) {
    return Arrays.stream(list.split(",")).map(String::strip).filter(p -> !p.isEmpty()).toList();
  }

  /** Returns the file that a medium needs. */
  public Path path(String medium) {
    return Path.of(
        settings.required(
            key("path"), "the " + medium + " medium needs it: set it to a file's name"));
  }

  private long withoutPath(long capacityBytes, String[] words) {
    if (settings.isSet(key("path"))) {
      String last = words[words.length - 1];
      throw new IllegalArgumentException(
          key("path")
              + " is '"
              + settings.text(key("path"), "")
              + "'; native memory, the default, needs no file: set "
              + key("medium")
              + " to "
              + Arrays.stream(words, 1, words.length - 1).collect(Collectors.joining(", "))
              + " or "
              + last
              + ", or remove the path");
    }
    return capacityBytes;
  }

  /**
   * Sets the policies and their thresholds. The small bypass is off unless it is asked for.
   *
   * @param live the live settings that the host has
   * @return the policies that were chosen
   */
  public PolicyPreset applyPolicies(BlockCacheBuilder builder, Set<LiveSetting> live) {
    PolicyPreset preset = settings.preset(key("policies"));
    builder.policies(preset).smallBypassDramBytes(0);
    if (settings.isSet(key("calibration"))) {
      builder.calibration(calibration(key("calibration")));
    }
    if (settings.isSet(key("drive.writes.per.day"))) {
      builder.driveWritesPerDay(settings.ratio(key("drive.writes.per.day"), 0, MAX_DRIVE_WRITES));
    }
    for (LiveSetting setting : live) { // After those that they win over.
      if (settings.isSet(key(setting.key()))) {
        builder.set(setting, settings.live(key(setting.key()), setting));
      }
    }
    return preset;
  }

  private Calibration calibration(String key) {
    try {
      return Calibration.read(Path.of(settings.text(key, "")));
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalArgumentException(key + ": " + e.getMessage(), e);
    }
  }
}
