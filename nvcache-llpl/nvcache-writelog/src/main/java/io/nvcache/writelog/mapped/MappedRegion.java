// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.mapped;

import io.nvcache.llpl.PmemLines;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.format.LogRegion;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.util.zip.CRC32C;

/** A mapped part of the log's file. */
final class MappedRegion implements LogRegion {
  private final MappedByteBuffer bytes;
  private final Persistence persistence;

  /** Of the thread that writes; a view for each sum would be garbage. */
  private final ByteBuffer summed;

  MappedRegion(MappedByteBuffer bytes, Persistence persistence) {
    this.bytes = bytes;
    this.persistence = persistence;
    this.summed = bytes.duplicate();
    bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Touches each page. */
  void load() {
    bytes.load();
  }

  @Override
  public int bytes() {
    return bytes.capacity();
  }

  @Override
  public long getLong(int at) {
    return bytes.getLong(at);
  }

  @Override
  public void putLong(int at, long value) {
    bytes.putLong(at, value);
  }

  @Override
  public int getInt(int at) {
    return bytes.getInt(at);
  }

  @Override
  public void putInt(int at, int value) {
    bytes.putInt(at, value);
  }

  @Override
  public void put(int at, ByteBuffer source, int from, int length) {
    bytes.put(at, source, from, length);
  }

  @Override
  public void get(int at, ByteBuffer target, int to, int length) {
    target.put(to, bytes, at, length);
  }

  @Override
  public void sum(CRC32C sum, int at, int length) {
    summed.limit(at + length).position(at);
    sum.update(summed);
  }

  @Override
  public ByteBuffer view(int at, int length) {
    return bytes.slice(at, length).asReadOnlyBuffer().order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void persist(int at, int length) throws IOException {
    switch (persistence) {
      case SYNC_MAPPING, MSYNC -> force(at, length);
      case PMDK -> PmemLines.persist(bytes, at, length);
      case EMULATED -> LineFlush.flush(bytes, at, length);
      case PAGE_CACHE -> VarHandle.fullFence();
    }
  }

  /** Of a sync mapping the JDK writes the lines back and fences; of another it calls msync. */
  private void force(int at, int length) throws IOException {
    try {
      bytes.force(at, length);
    } catch (UncheckedIOException e) { // Callers of a channel's force know what it throws.
      throw e.getCause();
    }
  }
}
