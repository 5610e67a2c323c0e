// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * NVTR version 1, the block traces of this project; big-endian.
 *
 * <pre>
 *   header, 16 bytes:   "NVTR" | version u16 = 1 | record bytes u16 = 9 | records u64
 *   record,  9 bytes:   op u8 (0 read, 1 write, 2 free; of a rewrite 3 read, 4 wrote, 5 end)
 *                       | block u32 | size in bytes u32
 * </pre>
 */
final class NvtrFormat {
  static final int MAGIC = 0x4e565452;

  private static final int VERSION = 1;
  private static final int RECORD_BYTES = Byte.BYTES + 2 * Integer.BYTES;
  private static final int LAST_OP = TraceOp.REWRITE_END.code();

  private NvtrFormat() {}

  static Trace read(InputStream file) throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(file));
    long records = readHeader(in);
    TraceBuilder trace = new TraceBuilder();
    for (long i = 0; i < records; i++) {
      int op;
      long block;
      int size;
      try {
        op = in.readUnsignedByte();
        block = Integer.toUnsignedLong(in.readInt());
        size = in.readInt();
      } catch (EOFException e) {
        throw new TraceFormatException(
            "the file ends in record " + i + " of the " + records + " that its header announces");
      }
      if (op > LAST_OP) {
        throw new TraceFormatException(
            "record "
                + i
                + " has op "
                + op
                + "; known are 0 (read), 1 (write), 2 (free), and of a rewrite 3 (read), 4 (wrote),"
                + " 5 (end)");
      }
      TraceOp known = TraceOp.of(op);
      if (size < (known.hasSize() ? 1 : 0)) {
        throw new TraceFormatException(
            "record "
                + i
                + " has a block of "
                + Integer.toUnsignedString(size)
                + " bytes; it must be between 1 and "
                + Integer.MAX_VALUE);
      }
      trace.add(known, block, size);
    }
    if (in.read() >= 0) {
      throw new TraceFormatException(
          "the file continues after the " + records + " records that its header announces");
    }
    return trace.build();
  }

  private static long readHeader(DataInputStream in) throws IOException {
    try {
      int magic = in.readInt();
      if (magic != MAGIC) {
        throw new TraceFormatException("the file does not begin with NVTR");
      }
      int version = in.readUnsignedShort();
      int recordBytes = in.readUnsignedShort();
      if (version != VERSION || recordBytes != RECORD_BYTES) {
        throw new TraceFormatException(
            "the file has NVTR version "
                + version
                + " and "
                + recordBytes
                + " bytes a record; known is version 1 with "
                + RECORD_BYTES);
      }
      long records = in.readLong();
      if (records < 0) {
        throw new TraceFormatException(
            "the header announces " + Long.toUnsignedString(records) + " records");
      }
      return records;
    } catch (EOFException e) {
      throw new TraceFormatException("the file ends in its header of 16 bytes");
    }
  }

  static void write(Trace trace, OutputStream file) throws IOException {
    DataOutputStream out = new DataOutputStream(file);
    out.writeInt(MAGIC);
    out.writeShort(VERSION);
    out.writeShort(RECORD_BYTES);
    out.writeLong(trace.records());
    boolean placesFit = trace.placesFit(1L << Integer.SIZE);
    for (int i = 0; i < trace.records(); i++) {
      TraceOp op = trace.op(i);
      out.writeByte(op.isLookup() ? TraceOp.READ.code() : op.code());
      out.writeInt(placesFit ? (int) trace.place(trace.block(i)) : trace.block(i));
      out.writeInt(trace.sizeBytes(i));
    }
    out.flush();
  }
}
