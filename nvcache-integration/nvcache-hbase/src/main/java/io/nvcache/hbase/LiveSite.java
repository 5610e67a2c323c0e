// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase;

import io.nvcache.control.LiveSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * Takes settings over from an {@code hbase-site.xml} that is read again while the server runs. Only
 * what was edited since it was last read is set: the rest may have been changed over JMX. A key
 * that was removed leaves its setting as it is. Thread-safe.
 */
final class LiveSite {
  /** What may change while the cache runs. */
  static final Set<String> KEYS =
      Set.of(
          NvCacheConfiguration.OVERHEAD_TARGET,
          NvCacheConfiguration.WRITE_LIMIT_SECOND_BYTES,
          NvCacheConfiguration.WRITE_LIMIT_DAY_BYTES,
          NvCacheConfiguration.EVICTION_WINDOW_SECONDS,
          NvCacheConfiguration.FULL_TARGET,
          NvCacheConfiguration.MAX_PINNED_BYTES);

  private static final long MAX_WINDOW_SECONDS = Duration.ofDays(365).toSeconds();

  private final LiveSettings live;
  private final Map<String, String> lastSeen = new HashMap<>();

  /**
   * Begins with the settings that the cache was built from.
   *
   * @param built null if it was built from something else, so that each key counts as edited
   */
  LiveSite(LiveSettings live, @Nullable Configuration built) {
    this.live = live;
    if (built != null) {
      KEYS.forEach(key -> lastSeen.put(key, built.get(key)));
    }
  }

  /**
   * Sets what was edited.
   *
   * @throws IllegalArgumentException if a value is out of range, and then nothing was set
   */
  synchronized void read(Configuration changed) {
    SiteSettings settings = new SiteSettings(changed);
    Map<String, Runnable> edits = new HashMap<>();
    for (String key : KEYS) {
      if (settings.isSet(key) && !Objects.equals(changed.get(key), lastSeen.get(key))) {
        edits.put(key, edit(key, settings));
      }
    }
    edits.forEach(
        (key, edit) -> {
          edit.run();
          lastSeen.put(key, changed.get(key));
        });
  }

  private Runnable edit(String key, SiteSettings settings) {
    return switch (key) {
      case NvCacheConfiguration.OVERHEAD_TARGET -> {
        double target = settings.ratio(key, 0, 10);
        yield () -> live.setOverheadTarget(target);
      }
      case NvCacheConfiguration.WRITE_LIMIT_SECOND_BYTES -> {
        long bytes = settings.integer(key, 0, 0, Long.MAX_VALUE);
        yield () -> live.setWriteLimitBytesPerSecond(bytes);
      }
      case NvCacheConfiguration.WRITE_LIMIT_DAY_BYTES -> {
        long bytes = settings.integer(key, 0, 0, Long.MAX_VALUE);
        yield () -> live.setWriteLimitBytesPerDay(bytes);
      }
      case NvCacheConfiguration.EVICTION_WINDOW_SECONDS -> {
        long seconds = settings.integer(key, 0, 1, MAX_WINDOW_SECONDS);
        yield () -> live.setEvictionWindow(Duration.ofSeconds(seconds));
      }
      case NvCacheConfiguration.FULL_TARGET -> {
        double part = settings.ratio(key, 0.01, 1);
        yield () -> live.setFullTarget(part);
      }
      case NvCacheConfiguration.MAX_PINNED_BYTES -> {
        long bytes = settings.integer(key, 0, 0, Long.MAX_VALUE);
        yield () -> live.setMaxPinnedBytes(bytes);
      }
      default -> throw new AssertionError(key);
    };
  }
}
