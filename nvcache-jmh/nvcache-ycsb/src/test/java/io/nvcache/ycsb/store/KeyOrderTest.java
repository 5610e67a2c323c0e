// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.hbase.compaction.CompactionOutputs;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.Vector;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

class KeyOrderTest {
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 1000, 50_000})
  void shouldHandOutAllKeysInOrder(int records) throws Exception {
    List<String> keys = new ArrayList<>();
    new KeyOrder(records).forEach(keys::add);
    TreeSet<String> expected = new TreeSet<>();
    LongStream.range(0, records).forEach(record -> expected.add(KeyOrder.key(record)));
    assertThat(keys).containsExactlyElementsOf(expected);
  }

  @Test
  void shouldAgreeWithYcsbOnKeysAndValues() throws Exception {
    StoreOptions options =
        new StoreOptions(100, 3, 137, 4096, 0, 1 << 20, 4, CompactionOutputs.OFFER);
    Properties properties = options.workloadProperties();
    Measurements.setProperties(properties);
    CoreWorkload workload = new CoreWorkload();
    workload.init(properties);
    RecordingDb db = new RecordingDb();
    for (int i = 0; i < 100; i++) {
      assertThat(workload.doInsert(db, null)).isTrue();
    }

    Map<String, Map<String, String>> expected = new HashMap<>();
    for (int record = 0; record < 100; record++) {
      String key = KeyOrder.key(record);
      Map<String, String> fields = new HashMap<>();
      for (int field = 0; field < 3; field++) {
        String name = DeterministicFields.name(field);
        fields.put(name, new String(DeterministicFields.value(key, name, 137), US_ASCII));
      }
      expected.put(key, fields);
    }
    assertThat(db.inserted).isEqualTo(expected);
  }

  private static final class RecordingDb extends DB {
    private final Map<String, Map<String, String>> inserted = new HashMap<>();

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
      Map<String, String> fields = new HashMap<>();
      values.forEach((name, value) -> fields.put(name, value.toString()));
      inserted.put(key, fields);
      return Status.OK;
    }

    @Override
    public Status read(
        String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    @SuppressWarnings("NonApiType") // YCSB's own signature
    public Status scan(
        String table,
        String startkey,
        int recordcount,
        Set<String> fields,
        Vector<HashMap<String, ByteIterator>> result) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
      return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status delete(String table, String key) {
      return Status.NOT_IMPLEMENTED;
    }
  }
}
