// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.site;

import io.nvcache.control.LiveSetting;
import io.nvcache.control.LiveSettings;
import io.nvcache.host.TextSettings;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Takes settings over from an {@code hbase-site.xml} that is read again while the server runs. Only
 * what was edited since it was last read is set: the rest may have been changed over JMX. A key
 * that was removed leaves its setting as it is. Thread-safe.
 */
public final class LiveSite {
  /** The keys of what may change while the cache runs. */
  static final Map<String, LiveSetting> KEYS =
      EnumSet.complementOf(
              EnumSet.of(LiveSetting.SMALL_BYPASS_DRAM_BYTES, LiveSetting.SMALL_BYPASS_FRACTION))
          .stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  setting -> NvCacheConfiguration.PREFIX + setting.key(), setting -> setting));

  private final LiveSettings live;
  private final Map<String, String> lastSeen = new HashMap<>();

  /**
   * Begins with the settings that the cache was built from.
   *
   * @param built null if it was built from something else, so that each key counts as edited
   */
  public LiveSite(LiveSettings live, @Nullable Configuration built) {
    this.live = live;
    if (built != null) {
      KEYS.keySet().forEach(key -> lastSeen.put(key, built.get(key)));
    }
  }

  /**
   * Sets what was edited.
   *
   * @throws IllegalArgumentException if a value is out of range, or a key is none, and then nothing
   *     was set
   */
  public synchronized void read(Configuration changed) {
    NvCacheConfiguration.checkKeys(changed);
    TextSettings settings = NvCacheConfiguration.settings(changed);
    Map<String, Object> edits = new HashMap<>();
    KEYS.forEach(
        (key, setting) -> {
          if (settings.isSet(key) && !Objects.equals(changed.get(key), lastSeen.get(key))) {
            edits.put(key, settings.live(key, setting));
          }
        });
    edits.forEach(
        (key, value) -> {
          live.set(Objects.requireNonNull(KEYS.get(key)), value);
          lastSeen.put(key, changed.get(key));
        });
  }
}
