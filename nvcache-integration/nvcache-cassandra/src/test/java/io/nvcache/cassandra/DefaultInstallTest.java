// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.TestHook;
import io.nvcache.cassandra.chunks.ChunkReads;
import io.nvcache.cassandra.report.ServedReads;
import io.nvcache.cassandra.report.SummaryLine;
import io.nvcache.cassandra.settings.NodeSettings;
import io.nvcache.cassandra.tier.Tier;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Properties;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Data files far smaller than the machine's memory, read as the woven channel reads them. */
class DefaultInstallTest {
  private static final int CHUNK = 4096;
  private static final int CHUNKS = 600;
  private static final int READS = 20_000;

  private final byte[] onDisk = new byte[CHUNKS * CHUNK];
  private long now;

  DefaultInstallTest() {
    new Random(1).nextBytes(onDisk);
  }

  private static Properties settings() {
    Properties given = new Properties();
    given.setProperty(NodeSettings.CAPACITY_BYTES, Integer.toString(16 << 20));
    return given;
  }

  private BlockCache build(Properties given) {
    return NodeSettings.of(given)
        .cache()
        .testing(TestHook.nanoTime(() -> now))
        .maintainedByCaller()
        .build();
  }

  private void read(Tier tier, int reads) {
    ChunkReads file = new ChunkReads(tier, tier.opened("a", onDisk.length), CHUNK);
    SplittableRandom random = new SplittableRandom(0x5eed);
    ByteBuffer dst = ByteBuffer.allocate(CHUNK);
    for (int i = 0; i < reads; i++) {
      int position = random.nextInt(CHUNKS) * CHUNK;
      if (file.read(dst.clear(), position) == 0) {
        dst.put(onDisk, position, CHUNK);
        file.missed(dst, position, CHUNK);
      }
      assertThat(dst.array()).isEqualTo(Arrays.copyOfRange(onDisk, position, position + CHUNK));
    }
  }

  private long served(Properties given) {
    Tier tier = new Tier(thread -> false);
    try (BlockCache cache = build(given)) {
      tier.start(cache);
      read(tier, READS);
      assertThat(cache.control().dataSet().bytes()).hasValue(onDisk.length);
      return ServedReads.of(cache.stats(), tier.bypasses());
    }
  }

  @Test
  void shouldServeByDefaultWhatATunedInstallServes() {
    Properties tuned = settings();
    tuned.setProperty(NodeSettings.SMALL_BYPASS_DRAM_BYTES, "0");
    long wanted = served(tuned);
    assertThat(wanted).isGreaterThan(READS / 2);
    assertThat(served(settings())).isGreaterThanOrEqualTo(wanted * 8 / 10);
  }

  @Test
  void shouldShowAndSummarizeABypassThatWasAskedFor() {
    Properties given = settings();
    given.setProperty(NodeSettings.SMALL_BYPASS_DRAM_BYTES, Long.toString(8L << 30));
    Tier tier = new Tier(thread -> false);
    assertThat(ShownState.of(NodeState.WAITING, null, null))
        .isEqualTo(new ShownState("WAITING", ""));
    try (BlockCache cache = build(given)) {
      tier.start(cache);
      SummaryLine summary = new SummaryLine(tier, cache);
      assertThat(ShownState.of(NodeState.SERVING, null, cache))
          .isEqualTo(new ShownState("SERVING", ""));
      for (int second = 0; second < 3; second++) {
        read(tier, 10);
        now += Duration.ofSeconds(1).toNanos();
        cache.control().maintain();
      }
      ShownState shown = ShownState.of(NodeState.SERVING, null, cache);
      assertThat(shown.state()).isEqualTo("BYPASSING");
      assertThat(shown.problem())
          .isEqualTo(
              "offers refused: bypassed_small 30; data set 2.3 MiB x 0.5 fits in 8 GiB of DRAM:"
                  + " nothing is cached; set nvcache.smallbypass.dram.bytes=0 (over JMX:"
                  + " SmallBypassDramBytes=0) to cache anyway");
      assertThat(summary.next())
          .startsWith(
              "NVCache since the last summary: 30 lookups, 0.0 % served, 0 B written, offers"
                  + " refused: 30 (mostly: bypassed_small 30); now: BYPASSING, 0 blocks, 0 B of"
                  + " 16 MiB of 1 files; past the cache in all: {cached-too-short=0");

      assertThat(ShownState.of(NodeState.PAUSED, null, cache).state()).isEqualTo("PAUSED");
      assertThat(ShownState.of(NodeState.REFUSED, "why", cache))
          .isEqualTo(new ShownState("REFUSED", "why"));
      cache.control().takeOutOfService("a disk is replaced");
      assertThat(ShownState.of(NodeState.SERVING, null, cache))
          .isEqualTo(new ShownState("OUT_OF_SERVICE", "a disk is replaced"));
    }
  }
}
