// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.hbase.ForeignBlock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.hfile.BlockCacheKey;
import org.junit.jupiter.api.Test;

final class RegionSharesTest {
  private static final int MEAN_BYTES = 1000;

  private final Map<String, Long> cached = new HashMap<>();
  private final Map<String, Set<String>> served = new HashMap<>();
  private final AtomicLong now = new AtomicLong();
  private final RegionShares shares =
      new RegionShares(
          name -> cached.getOrDefault(name, 0L), () -> served, () -> MEAN_BYTES, now::get);

  private void admit(String region, String name, int lengthBytes) {
    shares.admitted(
        new BlockCacheKey(new Path("/hbase/" + region + "/f/" + name), 0, true, null),
        new ForeignBlock(name),
        lengthBytes);
    cached.merge(name, 1L, Long::sum);
  }

  private Map<String, Long> bytesByRegion() {
    now.addAndGet(Duration.ofSeconds(1).toNanos());
    return shares.bytesByRegion();
  }

  @Test
  void shouldMultiplyTheCachedBlocksByTheirMeanLength() {
    admit("one", "a", 100);
    admit("one", "a", 300);
    admit("one", "b", 50);
    admit("another", "c", 7);
    assertThat(bytesByRegion()).isEqualTo(Map.of("one", 450L, "another", 7L));

    cached.put("a", 1L); // One of them was evicted.
    assertThat(bytesByRegion()).isEqualTo(Map.of("one", 250L, "another", 7L));
  }

  @Test
  void shouldEstimateBlocksThatWereNotOffered() {
    served.putAll(Map.of("one", Set.of("carried"), "another", Set.of("cold")));
    cached.put("carried", 3L);
    assertThat(bytesByRegion()).isEqualTo(Map.of("one", 3L * MEAN_BYTES));

    admit("one", "carried", 10);
    assertThat(bytesByRegion()).as("now a length is known").isEqualTo(Map.of("one", 40L));
  }

  /** HBase 2.6.4 to 2.6.6 know what is cached on write by the path that it is written at. */
  @Test
  void shouldCountWhatWasWrittenForTheRegionThatServesIt() {
    admit(".tmp", "flushed", 10);
    assertThat(bytesByRegion()).isEqualTo(Map.of(".tmp", 10L));
    served.put("one", Set.of("flushed"));
    assertThat(bytesByRegion()).isEqualTo(Map.of("one", 10L));
  }

  @Test
  void shouldGiveBothDaughtersOfASplitTheShareOfTheWholeFile() {
    String parent = "0123456789abcdef0123456789abcdef";
    String half = parent + ".fedcba9876543210fedcba9876543210";
    admit("parent", parent, 100);
    admit("bottom", half, 10);
    served.putAll(Map.of("bottom", Set.of(half), "top", Set.of(half)));
    assertThat(bytesByRegion()).isEqualTo(Map.of("bottom", 110L, "top", 110L));

    served.put("bottom", Set.of(half, "cafe.fedcba9876543210fedcba9876543210"));
    cached.put("cafe", 2L); // Of a former server: no block of it was offered.
    assertThat(bytesByRegion()).isEqualTo(Map.of("bottom", 110L + 2 * MEAN_BYTES, "top", 110L));
  }

  @Test
  void shouldForgetAFileWithoutCachedBlocks() {
    admit("one", "a", 100);
    cached.clear();
    assertThat(bytesByRegion()).isEmpty();
    cached.put("a", 1L); // Its length is not known any more, nor is its region.
    assertThat(bytesByRegion()).isEmpty();
  }

  @Test
  void shouldAnswerTheSameForASecond() {
    admit("one", "a", 100);
    assertThat(bytesByRegion()).containsEntry("one", 100L);
    admit("one", "a", 100);
    now.addAndGet(Duration.ofMillis(999).toNanos());
    assertThat(shares.bytesByRegion()).containsEntry("one", 100L);
    now.addAndGet(Duration.ofMillis(1).toNanos());
    assertThat(shares.bytesByRegion()).containsEntry("one", 200L);
  }

  @Test
  void shouldLeaveAsideABlockWithoutAPath() {
    shares.admitted(new BlockCacheKey("a", 0), new ForeignBlock("a"), 100);
    cached.put("a", 1L);
    assertThat(bytesByRegion()).isEmpty();
  }

  /** A split between two store files links each of them whole to its daughter. */
  @Test
  void shouldCountALinkedFileForTheRegionsThatListIt() {
    String file = "0123456789abcdef0123456789abcdef";
    String link = "table=fedcba9876543210fedcba9876543210-" + file;
    admit("parent", file, 100);
    served.put("daughter", Set.of(link));
    assertThat(bytesByRegion()).isEqualTo(Map.of("daughter", 100L));

    served.put("clone", Set.of(link));
    assertThat(bytesByRegion()).isEqualTo(Map.of("daughter", 100L, "clone", 100L));
  }

  /** After a restored snapshot, and for a moment after a compaction. */
  @Test
  void shouldNotCountAFileThatItsRegionNoLongerLists() {
    admit("one", "restored", 100);
    admit("one", "replaced", 100);
    served.put("one", Set.of("restored"));
    assertThat(bytesByRegion()).isEqualTo(Map.of("one", 100L));
  }

  @Test
  void shouldForgetADroppedRegion() {
    admit("one", "a", 100);
    admit("another", "b", 10);
    shares.dropped("one");
    assertThat(bytesByRegion()).isEqualTo(Map.of("another", 10L));
  }
}
