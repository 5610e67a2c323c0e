// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.compaction;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.ForwardingBlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import io.nvcache.hbase.blocks.BlockPayload;
import io.nvcache.hbase.blocks.ReadMode;
import io.nvcache.hbase.files.StoreFileNames;
import io.nvcache.host.ReasonCounts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HotRowsTest {
  /** So many counters that chance halves none of those looked at. */
  private static final long CAPACITY_BLOCKS = 1 << 18;

  private static final byte[] FAMILY = {'f'};
  private static final long STORE = HotRows.storeOf(TableName.valueOf("t"), FAMILY);

  /** What the keys of each output had. */
  private final List<Double> lookups = new ArrayList<>();

  private final BlockCache cache =
      new ForwardingBlockCache(BlockCache.builder().nativeMemory(1 << 20).build()) {
        @Override
        public Rewrite rewrite() {
          return new Recording();
        }
      };

  private final RunningCompactions running =
      new RunningCompactions(cache, new ReasonCounts<>(HeatDrop.class));
  private final HotRows rows = new HotRows(cache, CAPACITY_BLOCKS);

  private final class Recording implements Rewrite {
    @Override
    public @Nullable PinnedBlock read(long fileId, long offset) {
      return null;
    }

    @Override
    public double wrote(long fileId, long offset, int lengthBytes, double keyLookups) {
      lookups.add(keyLookups);
      return keyLookups;
    }

    @Override
    public int carryAhead(OutputReader kept) {
      return 0;
    }

    @Override
    public int carry(OutputReader outputs) {
      return 0;
    }
  }

  @AfterEach
  void close() {
    CompactionScope.abandon();
    cache.close();
  }

  private static byte[] row(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  private void read(String row, int times) {
    for (int i = 0; i < times; i++) {
      rows.read(STORE, row(row));
    }
  }

  private void begin() {
    StoreFileNames names = new StoreFileNames(cache, new FileIdRegistry(), name -> false);
    CompactionScope.begin(
        running,
        this,
        new CarriedBlocks(names, new BlockPayload(ReadMode.COPY), new HeldBlocks.Memory(0)));
  }

  /**
   * Writes cells of rows, and a block where there is a bar, as HBase does: with the next cell. What
   * a word names are cells of one row that HBase gets at once; it has the bars that come among
   * them.
   */
  private void compact(String script) {
    begin();
    CompactionScope scope = CompactionScope.current(cache);
    boolean full = false;
    for (String word : script.split(" ")) {
      if (word.equals("|")) {
        full = true;
        continue;
      }
      String cells = word.replace("|", "");
      rows.written(STORE, row(word), 0, 1, cells.length());
      int bars = word.length() - cells.length() + (full ? 1 : 0);
      for (int block = 0; block < bars; block++) {
        scope.wrote("out", 1, 0, 100, 133);
      }
      full = false;
    }
  }

  @Test
  void shouldFollowARowToTheBlockThatItIsWrittenTo() {
    rows.count(CompactionOutputs.CARRY);
    read("b", 5);
    read("d", 2);
    compact("a b c | d e | f | g");
    assertThat(lookups).containsExactly(5.0, 2.0, 0.0);
  }

  @Test
  void shouldCountARowThatGoesOnInBothBlocks() {
    rows.count(CompactionOutputs.CARRY);
    read("b", 4);
    compact("a b | b c | d");
    assertThat(lookups).containsExactly(4.0, 4.0);
  }

  @Test
  void shouldCountARowOfManyCellsInEachBlockThatItFills() {
    rows.count(CompactionOutputs.CARRY);
    read("b", 4);
    compact("aa bb|b cc | dd");
    assertThat(lookups).as("in two blocks").containsExactly(4.0, 4.0);
    lookups.clear();
    compact("a b|bb|b c | d");
    assertThat(lookups).as("in three").containsExactly(4.0, 4.0, 4.0);
  }

  @Test
  void shouldNotCountARowOfOneCellInTheBlockBefore() {
    rows.count(CompactionOutputs.CARRY);
    read("b", 4);
    compact("a | b | c");
    assertThat(lookups).containsExactly(0.0, 4.0);
    lookups.clear();
    compact("a | b");
    CompactionScope.current(cache).wrote("out", 1, 0, 100, 133); // As the file is closed.
    assertThat(lookups).as("the last row").containsExactly(0.0, 4.0);
  }

  private void compactInto(String... outputs) {
    begin();
    for (int block = 0; block < outputs.length; block++) {
      rows.written(STORE, row("b"), 0, 1, 2);
      CompactionScope.current(cache)
          .wrote(outputs[block], outputs[block].hashCode(), block, 100, 133);
    }
  }

  @Test
  void shouldFollowRowsIntoOutputsThatAreWrittenOneAfterTheOther() {
    rows.count(CompactionOutputs.CARRY);
    read("b", 4);
    compactInto("stripe 1", "stripe 1", "stripe 2", "stripe 3", "stripe 3");
    assertThat(lookups).containsExactly(4.0, 4.0, 4.0, 4.0, 4.0);
    lookups.clear();
    compactInto("tier 1", "tier 2", "tier 1", "tier 1");
    assertThat(lookups).as("not once they come by turns").containsExactly(4.0, 4.0, 0.0, 0.0);
  }

  @Test
  void shouldTellStoresApart() {
    rows.count(CompactionOutputs.CARRY);
    rows.read(HotRows.storeOf(TableName.valueOf("u"), FAMILY), row("a"));
    rows.read(HotRows.storeOf(TableName.valueOf("t"), new byte[] {'g'}), row("a"));
    compact("a b | c");
    assertThat(lookups).containsExactly(0.0);
  }

  @Test
  void shouldCountOnlyWhileHeatIsCarried() {
    assertThat(rows.isCounting()).isFalse();
    read("a", 3);
    rows.count(CompactionOutputs.CARRY);
    assertThat(rows.isCounting()).isTrue();
    read("a", 3);
    rows.count(CompactionOutputs.CARRY);
    compact("a | b");
    assertThat(lookups).as("is not begun anew").containsExactly(3.0);
    rows.count(CompactionOutputs.LEAVE_OUT);
    assertThat(rows.isCounting()).isFalse();
  }

  @Test
  void shouldReportTheRowsOfAScanner() throws Exception {
    rows.count(CompactionOutputs.CARRY);
    read("b", 5);
    Iterator<String> script = List.of("a", "b", "c").iterator();
    List<String> calls = new ArrayList<>();
    InternalScanner scanner =
        new InternalScanner() {
          @Override
          @SuppressWarnings({"rawtypes", "unchecked"})
          public boolean next(List result, ScannerContext context) {
            result.add(new KeyValue(row(script.next()), FAMILY, null, 1, row("value")));
            return script.hasNext();
          }

          @Override
          public void close() {
            calls.add("close");
          }
        };
    begin();
    RowsOfCompaction reported = new RowsOfCompaction(scanner, rows, STORE);
    List<Cell> cells = new ArrayList<>();
    boolean more;
    do {
      more = reported.next(cells, null);
      assertThat(cells).hasSize(1);
      cells.clear();
    } while (more);
    CompactionScope.current(cache).wrote("out", 1, 0, 100, 133);
    reported.shipped();
    reported.close();

    assertThat(CompactionScope.current(cache)).as("until the commit").isNotNull();
    assertThat(lookups).containsExactly(5.0);
    assertThat(calls).containsExactly("close");
  }

  /** As HBase closes it where a region goes away, or a write fails. */
  @Test
  void shouldEndACompactionWhoseRowsAreNotAllRead() throws IOException {
    InternalScanner scanner =
        new InternalScanner() {
          @Override
          @SuppressWarnings({"rawtypes", "unchecked"})
          public boolean next(List result, ScannerContext context) {
            result.add(new KeyValue(row("a"), FAMILY, null, 1, row("value")));
            return true;
          }

          @Override
          public void close() {}
        };
    begin();
    RowsOfCompaction reported = new RowsOfCompaction(scanner, rows, STORE);
    reported.next(new ArrayList<Cell>(), null);
    assertThat(CompactionScope.current(cache)).isNotNull();
    reported.close();
    assertThat(CompactionScope.current(cache)).isNull();
  }
}
