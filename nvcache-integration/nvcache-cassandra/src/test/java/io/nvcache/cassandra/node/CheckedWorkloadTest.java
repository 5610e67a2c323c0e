// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

@SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB asks for Vector and HashMap.
class CheckedWorkloadTest {
  /** Keeps the last row that was written. */
  private static final class LastRow extends DB {
    private String key = "";
    private final Map<String, byte[]> values = new HashMap<>();

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      this.key = key;
      values.forEach((field, value) -> this.values.put(field, value.toArray()));
      return Status.OK;
    }

    private HashMap<String, ByteIterator> row() {
      HashMap<String, ByteIterator> row = new HashMap<>();
      values.forEach((field, value) -> row.put(field, new ByteArrayByteIterator(value)));
      return row;
    }

    @Override
    public Status read(
        String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
      throw new AssertionError();
    }

    @Override
    public Status scan(
        String table,
        String startKey,
        int count,
        @Nullable Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      throw new AssertionError();
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      throw new AssertionError();
    }

    @Override
    public Status delete(String table, String key) {
      throw new AssertionError();
    }
  }

  @Test
  void shouldCountARowOfAScanThatIsNotAsItWasWritten() throws Exception {
    Properties properties = YcsbPhase.properties("E", 1);
    Measurements.setProperties(properties);
    CheckedWorkload workload = new CheckedWorkload();
    workload.init(properties);
    LastRow db = new LastRow();
    workload.doInsert(db, null);
    long before = YcsbPhase.mismatches();
    workload.check(db.key, db.row());
    assertThat(YcsbPhase.mismatches()).isEqualTo(before);
    db.values.get("field7")[0] ^= 1;
    workload.check(db.key, db.row());
    assertThat(YcsbPhase.mismatches()).isEqualTo(before + 1);
    workload.check(db.key, new HashMap<>());
    assertThat(YcsbPhase.mismatches()).isEqualTo(before + 2);
  }
}
