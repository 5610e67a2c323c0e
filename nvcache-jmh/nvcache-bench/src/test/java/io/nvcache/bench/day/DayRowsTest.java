// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.day;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;

final class DayRowsTest {
  private static Result found(Put put) {
    return Result.create(put.getFamilyCellMap().values().iterator().next().toArray(new Cell[0]));
  }

  @Test
  void shouldTellRightValuesFromWrongAndStaleOnes() {
    assertThat(DayRows.isRight(found(DayRows.put(7, 3)), 7, 3)).isTrue();
    assertThat(DayRows.isRight(found(DayRows.put(7, 4)), 7, 3)).as("newer").isTrue();
    assertThat(DayRows.isRight(found(DayRows.put(7, 2)), 7, 3)).as("stale").isFalse();
    assertThat(DayRows.isRight(found(DayRows.put(8, 3)), 7, 3)).as("another row").isFalse();
    assertThat(DayRows.isRight(Result.create(new Cell[0]), 7, 0)).as("missing").isFalse();
    Result damaged = found(DayRows.put(7, 3));
    Cell cell = damaged.rawCells()[0];
    cell.getValueArray()[cell.getValueOffset() + 500] ^= 1;
    assertThat(DayRows.isRight(damaged, 7, 3)).as("damaged").isFalse();
  }

  @Test
  void shouldAskForTheNewestVersionThatWasAcknowledged() {
    DayRows rows = new DayRows(10);
    int first = rows.beginWrite(4);
    int second = rows.beginWrite(4);
    rows.endWrite(4, second);
    rows.endWrite(4, first);
    assertThat(rows.least(4)).isEqualTo(second);
    assertThat(rows.least(5)).isZero();
  }

  @Test
  void shouldSortKeysAsNumbers() {
    assertThat(new String(DayRows.key(1234), StandardCharsets.US_ASCII))
        .isEqualTo("00000000000000000000001234");
  }

  @Test
  void shouldFindWritersInTheListOfThreads() {
    String threads =
        """
        "main-BucketCacheWriter-0" #34 daemon prio=5 os_prio=0 cpu=1.2ms tid=0x1 nid=0x1b waiting
        "bucket-cache-persister" #36 prio=5 tid=0x2 nid=0x1c waiting on condition
        "main-BucketCacheWriter-11" #35 daemon prio=5 os_prio=0 tid=0x3 nid=29 runnable
        """;
    assertThat(WriterThreads.numbers(threads)).containsExactly(27, 29);
    assertThat(WriterThreads.writtenBytes("rchar: 5\nwchar: 77\nwrite_bytes: 3\n")).isEqualTo(77);
    assertThatThrownBy(() -> WriterThreads.writtenBytes("rchar: 5"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("rchar");
  }
}
