// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.hbase.ForeignBlock;
import io.nvcache.hbase.NvHBaseBlockCache;
import io.nvcache.hbase.compaction.ColdFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.apache.hadoop.hbase.io.hfile.HFileInfo;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Cold data by HBase's time-based priority. {@code LinkTest} holds the rules to HBase's own. */
class DataTieringTest {
  private final DataTiering tiering = DataTiering.of(RulesOfAge.class);
  private final BlockCache engine =
      BlockCache.builder().nativeMemory(64 << 20).admission(AdmissionPresets.admitAll()).build();
  private final NvHBaseBlockCache cache =
      new NvHBaseBlockCache(
          engine,
          new FileIdRegistry(),
          new BlockPayload(ReadMode.ZERO_COPY),
          () -> {},
          tiering,
          null,
          System::nanoTime);

  @AfterEach
  void close() {
    RulesOfAge.on = null;
    cache.shutdown();
  }

  private static BlockCacheKey key(String file) {
    return new BlockCacheKey(file, 0);
  }

  @Test
  void shouldNeverAdmitColdData() {
    RulesOfAge.on = new RulesOfAge();
    cache.cacheBlock(key("cold"), new ForeignBlock("block"));
    cache.cacheBlock(key("hot"), new ForeignBlock("block"));
    assertThat(cache.getBlock(key("cold"), true, false, true)).isNull();
    assertThat(cache.getBlock(key("hot"), true, false, true)).isNotNull();
    Configuration site = new Configuration();
    assertThat(cache.shouldCacheBlock(key("any"), 99, site)).contains(false);
    assertThat(cache.shouldCacheBlock(key("any"), 100, site)).contains(true);
    assertThat(cache.shouldCacheFile(new HFileInfo(), site)).contains(false);
  }

  @Test
  void shouldTakeAllDataForHotWhileThePriorityIsOff() {
    cache.cacheBlock(key("cold"), new ForeignBlock("block"));
    assertThat(cache.getBlock(key("cold"), true, false, true)).isNotNull();
    assertThat(cache.shouldCacheBlock(key("any"), 0, new Configuration())).isEmpty();
    assertThat(cache.shouldCacheFile(new HFileInfo(), new Configuration())).contains(true);
    assertThat(tiering.coldFiles()).isEmpty();
  }

  @Test
  void shouldTakeForHotWhatHBaseCannotJudge() {
    RulesOfAge.on = new RulesOfAge();
    assertThat(tiering.isCold(key("unknown"))).isFalse();
  }

  @Test
  void shouldEvictColdFilesOnlyWhereRoomIsScarce() {
    RulesOfAge.on = new RulesOfAge();
    List<String> evicted = new ArrayList<>();
    boolean[] scarce = {false};
    try (ColdFiles files = new ColdFiles(tiering, () -> scarce[0], evicted::add)) {
      files.sweep();
      assertThat(evicted).isEmpty();
      scarce[0] = true;
      files.sweep();
      assertThat(evicted).containsExactly("cold");
    }
  }

  @Test
  void shouldFindNoRulesInAnotherClass() {
    DataTiering none = DataTiering.of(String.class);
    assertThat(none.isOn()).isFalse();
    assertThat(none.isCold(key("cold"))).isFalse();
  }

  /** As HBase declares its own. */
  public static final class RulesOfAge {
    static volatile @Nullable RulesOfAge on;

    private RulesOfAge() {}

    public static @Nullable RulesOfAge getInstance() {
      return on;
    }

    public boolean isHotData(BlockCacheKey key) throws IOException {
      if (key.getHfileName().equals("unknown")) {
        throw new IOException("no such region");
      }
      return !key.getHfileName().equals("cold");
    }

    public boolean isHotData(long maxTimestamp, Configuration configuration) {
      return maxTimestamp >= 100;
    }

    public boolean isHotData(HFileInfo file, Configuration configuration) {
      return false;
    }

    public Map<String, String> getColdFilesList() {
      return Map.of("cold", "region");
    }
  }
}
