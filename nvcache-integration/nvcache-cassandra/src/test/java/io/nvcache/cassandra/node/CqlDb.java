// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.BoundStatementBuilder;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** YCSB's table over CQL. Thread-safe; all threads of a run share one. */
@SuppressWarnings({"JdkObsolete", "NonApiType"}) // YCSB asks for Vector and HashMap.
final class CqlDb extends DB {
  private static final int FIELDS = 10;

  private final CqlSession session;
  private final PreparedStatement read;
  private final PreparedStatement scan;
  private final PreparedStatement delete;
  private final Map<Set<String>, PreparedStatement> writes = new ConcurrentHashMap<>();
  private final AtomicLong errors = new AtomicLong();
  private volatile BiConsumer<String, HashMap<String, ByteIterator>> scanned = (key, row) -> {};

  CqlDb(CqlSession session) {
    this.session = session;
    this.read = session.prepare("SELECT * FROM ycsb.usertable WHERE y_id = ?");
    this.scan =
        session.prepare("SELECT * FROM ycsb.usertable WHERE token(y_id) >= token(?) LIMIT ?");
    this.delete = session.prepare("DELETE FROM ycsb.usertable WHERE y_id = ?");
  }

  /** Creates the keyspace and the table. */
  static void createTable(CqlSession session) {
    session.execute(Rows.keyspaceDdl("ycsb", 1));
    String fields =
        IntStream.range(0, FIELDS)
            .mapToObj(field -> ", field" + field + " blob")
            .collect(Collectors.joining());
    session.execute("CREATE TABLE ycsb.usertable (y_id text PRIMARY KEY" + fields + ")");
  }

  /** Has each row of a scan compared, which YCSB leaves out. */
  void checkScans(BiConsumer<String, HashMap<String, ByteIterator>> check) {
    scanned = check;
  }

  /** Operations that did not succeed. */
  long errors() {
    return errors.get();
  }

  @Override
  public Status read(
      String table, String key, @Nullable Set<String> fields, Map<String, ByteIterator> result) {
    return run(
        () -> {
          Row row = session.execute(read.bind(key)).one();
          if (row == null) {
            return Status.NOT_FOUND;
          }
          result.putAll(values(row));
          return Status.OK;
        });
  }

  @Override
  public Status scan(
      String table,
      String startKey,
      int count,
      @Nullable Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return run(
        () -> {
          ResultSet rows = session.execute(scan.bind(startKey, count));
          for (Row row : rows) {
            scanned.accept(row.getString("y_id"), values(row)); // Values can be read once.
            result.add(values(row));
          }
          return result.isEmpty() ? Status.NOT_FOUND : Status.OK;
        });
  }

  @Override
  public Status update(String table, String key, Map<String, ByteIterator> values) {
    return run(
        () -> {
          PreparedStatement write = writes.computeIfAbsent(values.keySet(), this::prepareWrite);
          BoundStatementBuilder bound = write.boundStatementBuilder().setString("y_id", key);
          for (Map.Entry<String, ByteIterator> value : values.entrySet()) {
            bound =
                bound.setByteBuffer(value.getKey(), ByteBuffer.wrap(value.getValue().toArray()));
          }
          session.execute(bound.build());
          return Status.OK;
        });
  }

  @Override
  public Status insert(String table, String key, Map<String, ByteIterator> values) {
    return update(table, key, values);
  }

  @Override
  public Status delete(String table, String key) {
    return run(
        () -> {
          session.execute(delete.bind(key));
          return Status.OK;
        });
  }

  private PreparedStatement prepareWrite(Set<String> fields) {
    return session.prepare(
        "INSERT INTO ycsb.usertable (y_id, "
            + String.join(", ", fields)
            + ") VALUES (?"
            + ", ?".repeat(fields.size())
            + ")");
  }

  private static HashMap<String, ByteIterator> values(Row row) {
    HashMap<String, ByteIterator> values = new HashMap<>();
    for (int field = 0; field < FIELDS; field++) {
      ByteBuffer value = row.getByteBuffer("field" + field);
      if (value != null) {
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        values.put("field" + field, new ByteArrayByteIterator(bytes));
      }
    }
    return values;
  }

  private interface Operation {
    Status run();
  }

  private Status run(Operation operation) {
    Status status;
    try {
      status = operation.run();
    } catch (DriverException e) {
      status = Status.ERROR;
    }
    if (!status.isOk()) {
      errors.incrementAndGet();
    }
    return status;
  }
}
