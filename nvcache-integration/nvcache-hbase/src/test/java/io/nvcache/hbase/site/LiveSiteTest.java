// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.BlockCache;
import io.nvcache.control.LiveSettings;
import io.nvcache.hbase.NvHBaseBlockCache;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveSiteTest {
  private final Configuration site = new Configuration(false);
  private final NvHBaseBlockCache cache;
  private final LiveSettings live;

  LiveSiteTest() {
    site.setLong(NvCacheConfiguration.CAPACITY_BYTES, 64 << 20);
    site.set(NvCacheConfiguration.OVERHEAD_TARGET, "0.2");
    site.set(NvCacheConfiguration.MBEAN_NAME, "live-site");
    cache = new NvHBaseBlockCache(site);
    live = cache.engine().control().settings();
  }

  @AfterEach
  void close() {
    cache.shutdown();
  }

  @Test
  void shouldTakeOverWhatWasEdited() {
    Configuration changed = new Configuration(site);
    changed.set(NvCacheConfiguration.OVERHEAD_TARGET, "0.3");
    changed.set(NvCacheConfiguration.WRITE_LIMIT_SECOND_BYTES, "1048576");
    changed.set(NvCacheConfiguration.WRITE_LIMIT_DAY_BYTES, "1073741824");
    changed.set(NvCacheConfiguration.MAX_PINNED_BYTES, "4096");
    cache.onConfigurationChange(changed);
    assertThat(live.overheadTarget()).isEqualTo(0.3);
    assertThat(live.writeLimitBytesPerSecond()).isEqualTo(1 << 20);
    assertThat(live.writeLimitBytesPerDay()).isEqualTo(1 << 30);
    assertThat(live.maxPinnedBytes()).isEqualTo(4096);
  }

  @Test
  void shouldLeaveWhatWasChangedElsewhere() {
    live.setOverheadTarget(0.05);
    cache.onConfigurationChange(new Configuration(site));
    assertThat(live.overheadTarget()).isEqualTo(0.05);
  }

  @Test
  void shouldSetNothingWhereOneValueIsOutOfRange() {
    Configuration changed = new Configuration(site);
    changed.set(NvCacheConfiguration.OVERHEAD_TARGET, "0.3");
    changed.set(NvCacheConfiguration.FULL_TARGET, "7");
    cache.onConfigurationChange(changed);
    assertThat(live.overheadTarget()).isEqualTo(0.2);
    assertThatThrownBy(() -> new LiveSite(live, site).read(changed))
        .hasMessageContaining(NvCacheConfiguration.FULL_TARGET)
        .hasMessageContaining("7");
  }

  /** It would change nothing, without a word, and keep the server from its next start. */
  @Test
  void shouldSetNothingWhereAKeyIsNone() {
    Configuration changed = new Configuration(site);
    changed.set(NvCacheConfiguration.OVERHEAD_TARGET, "0.3");
    changed.set("hbase.nvcache.write.limit.second", "1048576");
    assertThatThrownBy(() -> new LiveSite(live, site).read(changed))
        .hasMessageStartingWith("unknown setting hbase.nvcache.write.limit.second; the nearest is")
        .hasMessageContaining(NvCacheConfiguration.WRITE_LIMIT_SECOND_BYTES);
    assertThat(live.overheadTarget()).isEqualTo(0.2);
  }

  @Test
  void shouldSetEachLiveKey() {
    Configuration changed = new Configuration(site);
    changed.set(NvCacheConfiguration.EVICTION_WINDOW_SECONDS, "60");
    changed.set(NvCacheConfiguration.POLICIES, "paper");
    changed.set(NvCacheConfiguration.IMPORTANT_SHARE, "0.5");
    for (String key : LiveSite.KEYS.keySet()) {
      changed.set(key, changed.get(key, "1"));
    }
    try (BlockCache paper = NvCacheConfiguration.build(paperSite())) {
      LiveSettings settings = paper.control().settings();
      new LiveSite(settings, null).read(changed);
      assertThat(settings.evictionWindow()).isEqualTo(Duration.ofSeconds(60));
      assertThat(settings.fullTarget()).isEqualTo(1);
      assertThat(settings.importantShare()).isEqualTo(0.5);
    }
  }

  private Configuration paperSite() {
    Configuration paper = new Configuration(site);
    paper.set(NvCacheConfiguration.POLICIES, "paper");
    return paper;
  }
}
