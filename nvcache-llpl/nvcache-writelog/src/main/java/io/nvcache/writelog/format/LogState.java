// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import java.io.IOException;

/**
 * The state of a log, in its head: how far it is drained, and in which run of the system it is
 * used. Each method that stores is durable when it returns; a crash within keeps each word as it
 * was or as it is. The words are drawn at {@link LogLayout}.
 *
 * <p>Each word has one writer at a time, except for the heartbeat, which any thread may store.
 */
public final class LogState {
  private static final long HEARTBEAT_MILLIS = 500;

  private final LogRegion head;

  /** Reads and stores the state of a log. */
  public LogState(LogMemory memory) {
    this.head = memory.head();
  }

  /**
   * Returns how often the log was recovered, the lower 32 bits: records of other epochs are old.
   */
  public int epoch() {
    return (int) head.getLong(LogLayout.EPOCH);
  }

  /** Begins the next epoch, which ends all records. */
  public void beginNextEpoch() throws IOException {
    // One word: what it ends and what it begins are never mixed.
    store(LogLayout.EPOCH, (epoch() + 1L) & 0xffffffffL);
  }

  /** Returns the number up to which all is in the files, durably. */
  public long drainedSeq() {
    return head.getLong(LogLayout.DRAINED_SEQ);
  }

  /** Returns where a lane's records begin that are not drained, or some before. */
  public long tail(int lane) {
    return head.getLong(LogLayout.laneTail(lane));
  }

  /**
   * Notes what is drained: the number first, because a tail may only pass over records up to it.
   *
   * @param nowMillis a sign of life, which comes for free with the number
   * @param tails of all lanes
   */
  public void advance(long drainedSeq, long nowMillis, long[] tails) throws IOException {
    head.putLong(LogLayout.DRAINED_SEQ, drainedSeq);
    head.putLong(LogLayout.HEARTBEAT, nowMillis);
    head.persist(LogLayout.DRAINED_SEQ, 2 * Long.BYTES);
    for (int lane = 0; lane < tails.length; lane++) {
      head.putLong(LogLayout.laneTail(lane), tails[lane]);
    }
    head.persist(LogLayout.LANE_TAILS, tails.length * LogRecord.UNIT_BYTES);
  }

  /** Returns the time of the last sign of life, in milliseconds since 1970. */
  public long heartbeat() {
    return head.getLong(LogLayout.HEARTBEAT);
  }

  /**
   * Says that the log lives, if it is some time since it last said so: a recovery checks that no
   * other program has changed a file since.
   */
  public void beat(long nowMillis) throws IOException {
    if (isBeatDue(heartbeat(), nowMillis)) {
      store(LogLayout.HEARTBEAT, nowMillis);
    }
  }

  /** Returns whether a sign of life is due. */
  public static boolean isBeatDue(long sinceMillis, long nowMillis) {
    return nowMillis - sinceMillis >= HEARTBEAT_MILLIS;
  }

  /** Returns the run of the system whose page cache has all that returned; 0 if none has. */
  public long run() {
    return head.getLong(LogLayout.RUN);
  }

  /** Notes that run. */
  public void putRun(long run) throws IOException {
    store(LogLayout.RUN, run);
  }

  /** Returns the run of the system that the log ends with; 0 if it outlives each. */
  public long boot() {
    return head.getLong(LogLayout.BOOT);
  }

  /** Notes that run. */
  public void putBoot(long run) throws IOException {
    store(LogLayout.BOOT, run);
  }

  private void store(int at, long value) throws IOException {
    head.putLong(at, value);
    head.persist(at, Long.BYTES);
  }
}
