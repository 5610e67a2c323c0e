// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/**
 * The rows of one table, each value of which is known: it follows from a seed, the row and the
 * generation in which it was written.
 */
final class Rows {
  static final int VALUE_BYTES = 1024;

  private static final int IN_FLIGHT = 128;
  private static final int RANDOM_BYTES = 768;

  private final CqlSession session;
  private final long seed;
  private final PreparedStatement insert;
  private final PreparedStatement select;

  Rows(CqlSession session, String table, long seed) {
    this.session = session;
    this.seed = seed;
    this.insert = session.prepare("INSERT INTO " + table + " (id, v) VALUES (?, ?)");
    this.select = session.prepare("SELECT v FROM " + table + " WHERE id = ?");
  }

  /** The statement that creates a keyspace. */
  static String keyspaceDdl(String keyspace, int copies) {
    return "CREATE KEYSPACE "
        + keyspace
        + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
        + copies
        + "}";
  }

  /** The statement that creates the table. */
  static String ddl(String table, String options) {
    return "CREATE TABLE " + table + " (id int PRIMARY KEY, v blob) WITH " + options;
  }

  /** The value of a row: three quarters of it can't be compressed. */
  byte[] value(int id, int generation) {
    SplittableRandom random = new SplittableRandom(seed ^ ((long) generation << 32 | id));
    byte[] random768 = new byte[RANDOM_BYTES];
    random.nextBytes(random768);
    return Arrays.copyOf(random768, VALUE_BYTES);
  }

  /** Writes rows from {@code from} to before {@code to}. */
  void write(int from, int to, int generation) throws Exception {
    int[] next = {from};
    writeAll(() -> next[0]++, to - from, generation);
  }

  /** Writes these rows. */
  void writeAll(IntSupplier ids, int writes, int generation) throws Exception {
    Semaphore free = new Semaphore(IN_FLIGHT);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    for (int write = 0; write < writes && failure.get() == null; write++) {
      int id = ids.getAsInt();
      free.acquire();
      session
          .executeAsync(insert.bind(id, ByteBuffer.wrap(value(id, generation))))
          .whenComplete(
              (done, error) -> {
                failure.compareAndSet(null, error);
                free.release();
              });
    }
    free.acquire(IN_FLIGHT);
    if (failure.get() != null) {
      throw new IllegalStateException("a write failed", failure.get());
    }
  }

  /**
   * Reads rows at random and compares them.
   *
   * @param reads how many
   * @param rows the ids are below this
   */
  Checked read(int reads, int rows, int generation, long order) throws Exception {
    SplittableRandom random = new SplittableRandom(order);
    return readAll(() -> random.nextInt(rows), reads, generation);
  }

  /** Reads all rows once and compares them. */
  Checked readEach(int rows, int generation) throws Exception {
    int[] next = {0};
    return readAll(() -> next[0]++, rows, generation);
  }

  /** Reads these rows and compares them. */
  Checked readAll(IntSupplier ids, int reads, int generation) throws Exception {
    Semaphore free = new Semaphore(IN_FLIGHT);
    Checked checked = new Checked();
    for (int read = 0; read < reads; read++) {
      int id = ids.getAsInt();
      free.acquire();
      session
          .executeAsync(select.bind(id))
          .whenComplete(
              (found, error) -> {
                if (error != null) {
                  checked.failed(error);
                } else {
                  checked.add(isRight(found.one(), value(id, generation)));
                }
                free.release();
              });
    }
    free.acquire(IN_FLIGHT);
    return checked;
  }

  private static boolean isRight(Row row, byte[] expected) {
    ByteBuffer found = row == null ? null : row.getByteBuffer("v");
    return found != null && found.equals(ByteBuffer.wrap(expected));
  }
}
