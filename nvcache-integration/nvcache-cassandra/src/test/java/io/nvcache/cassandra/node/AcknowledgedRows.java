// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.node;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Rows of one table that are overwritten in turn, on a node that is killed: what was acknowledged
 * of each, and what was sent. The value of a row follows from its number and its generation.
 */
final class AcknowledgedRows {
  private static final int ROWS = 600;
  private static final int IN_FLIGHT = 32;

  /** Most are short; some are longer than a page, and some than a section of the commit log. */
  private static final int[] LENGTHS = {100, 700, 3000, 5000, 60_000};

  private final AtomicIntegerArray sent = new AtomicIntegerArray(ROWS);
  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(ROWS);
  private final AtomicLong acknowledgements = new AtomicLong();
  private long next = ROWS;

  /**
   * What a restarted node has.
   *
   * @param lost rows that are older than acknowledged, or missing
   * @param torn rows with a value that no client sent
   */
  record Found(int lost, int torn) {}

  static String ddl(String table) {
    return "CREATE TABLE " + table + " (id int PRIMARY KEY, g int, v blob)";
  }

  long acknowledgements() {
    return acknowledgements.get();
  }

  private static ByteBuffer value(int id, int generation) {
    SplittableRandom random = new SplittableRandom((long) generation << 32 | id);
    byte[] bytes = new byte[LENGTHS[random.nextInt(LENGTHS.length)]];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  /**
   * Writes until so many writes were acknowledged, and then does something while others are under
   * way; returns when all have ended.
   */
  void writeUntil(CqlSession session, String table, long count, Runnable action) throws Exception {
    PreparedStatement insert =
        session.prepare("INSERT INTO " + table + " (id, g, v) VALUES (?, ?, ?)");
    Semaphore free = new Semaphore(IN_FLIGHT);
    Phaser underWay = new Phaser(1);
    AtomicLong left = new AtomicLong(count);
    AtomicReference<Throwable> failure = new AtomicReference<>();
    while (left.get() > 0 && failure.get() == null) {
      int id = (int) (next % ROWS);
      int generation = (int) (next++ / ROWS);
      free.acquire();
      sent.accumulateAndGet(id, generation, Math::max);
      underWay.register();
      session
          .executeAsync(insert.bind(id, generation, value(id, generation)))
          .whenComplete(
              (done, error) -> {
                // After the kill most fail, and some may still bring their acknowledgement.
                if (error == null) {
                  acknowledged.accumulateAndGet(id, generation, Math::max);
                  acknowledgements.incrementAndGet();
                  if (left.decrementAndGet() == 0) {
                    action.run();
                  }
                } else if (left.get() > 0) {
                  failure.compareAndSet(null, error);
                }
                free.release();
                underWay.arriveAndDeregister();
              });
    }
    underWay.arriveAndAwaitAdvance();
    if (failure.get() != null) {
      throw new IllegalStateException("a write failed before the kill", failure.get());
    }
  }

  /** Reads each row. What is found must be there after the next kill, too. */
  Found check(CqlSession session, String table) {
    PreparedStatement select = session.prepare("SELECT g, v FROM " + table + " WHERE id = ?");
    int lost = 0;
    int torn = 0;
    for (int id = 0; id < ROWS; id++) {
      Row row = session.execute(select.bind(id)).one();
      int generation = row == null ? 0 : row.getInt("g");
      if (generation < acknowledged.get(id)) {
        lost++;
      } else if (generation > sent.get(id)
          || (row != null && !value(id, generation).equals(row.getByteBuffer("v")))) {
        torn++;
      }
      acknowledged.set(id, generation);
    }
    return new Found(lost, torn);
  }
}
