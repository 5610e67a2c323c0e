// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * libCacheSim's {@code oracleGeneral}; little-endian, without a header. All requests are reads.
 *
 * <pre>
 *   record, 24 bytes:   time in s u32 | object u64 | size in bytes u32 | next access i64
 * </pre>
 *
 * <p>The next access is the number of the record that asks for the object again, or −1.
 */
final class OracleGeneralFormat {
  private static final int RECORD_BYTES = 24;
  private static final int OBJECT_OFFSET = Integer.BYTES;
  private static final int SIZE_OFFSET = OBJECT_OFFSET + Long.BYTES;
  private static final int BUFFERED_RECORDS = 256;

  private OracleGeneralFormat() {}

  static Trace read(InputStream in) throws IOException {
    TraceBuilder trace = new TraceBuilder();
    ByteBuffer buffer =
        ByteBuffer.allocate(RECORD_BYTES * BUFFERED_RECORDS).order(ByteOrder.LITTLE_ENDIAN);
    int length;
    do {
      length = in.readNBytes(buffer.array(), 0, buffer.capacity());
      if (length % RECORD_BYTES != 0) {
        throw new TraceFormatException(
            "the file ends in record "
                + (trace.records() + length / RECORD_BYTES)
                + "; its length must be a multiple of "
                + RECORD_BYTES);
      }
      for (int at = 0; at < length; at += RECORD_BYTES) {
        int size = buffer.getInt(at + SIZE_OFFSET);
        if (size < 0) {
          throw new TraceFormatException(
              "record "
                  + trace.records()
                  + " has an object of "
                  + Integer.toUnsignedString(size)
                  + " bytes; at most "
                  + Integer.MAX_VALUE
                  + " can be replayed");
        }
        trace.add(TraceOp.READ, buffer.getLong(at + OBJECT_OFFSET), Math.max(1, size));
      }
    } while (length == buffer.capacity());
    return trace.build();
  }

  /** Writes the lookups; the format has no place for writes and frees. */
  static void write(Trace trace, OutputStream out) throws IOException {
    long[] next = nextLookups(trace);
    ByteBuffer record = ByteBuffer.allocate(RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    int lookup = 0;
    for (int i = 0; i < trace.records(); i++) {
      if (trace.op(i).isLookup()) {
        record
            .clear()
            .putInt(0)
            .putLong(trace.place(trace.block(i)))
            .putInt(trace.sizeBytes(i))
            .putLong(next[lookup++]);
        out.write(record.array());
      }
    }
  }

  private static long[] nextLookups(Trace trace) {
    long[] next = new long[Math.toIntExact(trace.lookups())];
    int[] last = new int[trace.blocks()];
    int lookup = 0;
    for (int i = 0; i < trace.records(); i++) {
      if (trace.op(i).isLookup()) {
        int before = last[trace.block(i)] - 1;
        if (before >= 0) {
          next[before] = lookup;
        }
        next[lookup] = -1;
        last[trace.block(i)] = ++lookup;
      }
    }
    return next;
  }
}
