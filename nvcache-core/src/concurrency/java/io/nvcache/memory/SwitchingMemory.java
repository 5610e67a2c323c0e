// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.nio.ByteBuffer;

/**
 * Stands in for {@link RawMemory} under Lincheck's model checker, which changes threads at accesses
 * to fields and knows nothing of native memory: each access here reads a field first, and copies go
 * in two halves.
 */
public final class SwitchingMemory {
  /** Where the model checker may change threads. */
  @SuppressWarnings("NonFinalStaticField")
  private static volatile int switchPoint;

  /** How often memory was touched: proof that the engine comes by here at all. */
  @SuppressWarnings({"NonFinalStaticField", "unused"})
  private static int sink;

  private SwitchingMemory() {}

  private static void mayChangeThreads() {
    sink = switchPoint;
  }

  public static byte getByte(long address) {
    mayChangeThreads();
    return RawMemory.getByte(address);
  }

  public static void putByte(long address, byte value) {
    mayChangeThreads();
    RawMemory.putByte(address, value);
  }

  public static short getShort(long address) {
    mayChangeThreads();
    return RawMemory.getShort(address);
  }

  public static void putShort(long address, short value) {
    mayChangeThreads();
    RawMemory.putShort(address, value);
  }

  public static int getInt(long address) {
    mayChangeThreads();
    return RawMemory.getInt(address);
  }

  public static void putInt(long address, int value) {
    mayChangeThreads();
    RawMemory.putInt(address, value);
  }

  public static long getLong(long address) {
    mayChangeThreads();
    return RawMemory.getLong(address);
  }

  public static void putLong(long address, long value) {
    mayChangeThreads();
    RawMemory.putLong(address, value);
  }

  public static long getLongLittleEndian(long address) {
    mayChangeThreads();
    return RawMemory.getLongLittleEndian(address);
  }

  public static int getIntVolatile(long address) {
    mayChangeThreads();
    return RawMemory.getIntVolatile(address);
  }

  public static void putIntRelease(long address, int value) {
    mayChangeThreads();
    RawMemory.putIntRelease(address, value);
  }

  public static boolean compareAndSwapInt(long address, int expected, int value) {
    mayChangeThreads();
    return RawMemory.compareAndSwapInt(address, expected, value);
  }

  public static int getAndAddInt(long address, int delta) {
    mayChangeThreads();
    return RawMemory.getAndAddInt(address, delta);
  }

  public static boolean mayVanish(ByteBuffer buffer) {
    return RawMemory.mayVanish(buffer);
  }

  public static void deliverFaults() {
    RawMemory.deliverFaults();
  }

  public static void copyOut(long address, ByteBuffer dst, int length) {
    copyOut(address, dst, dst.position(), length);
  }

  public static void copyOut(long address, ByteBuffer dst, int position, int length) {
    mayChangeThreads();
    int half = length / 2;
    RawMemory.copyOut(address, dst, position, half);
    mayChangeThreads();
    RawMemory.copyOut(address + half, dst, position + half, length - half);
  }

  public static void copyBlockOut(long address, ByteBuffer dst, int position, int length) {
    copyOut(address, dst, position, length);
  }

  public static void copyFewOut(long address, ByteBuffer dst, int position, int length) {
    copyOut(address, dst, position, length);
  }

  public static void copyIn(ByteBuffer src, int position, long address, int length) {
    mayChangeThreads();
    int half = length / 2;
    RawMemory.copyIn(src, position, address, half);
    mayChangeThreads();
    RawMemory.copyIn(src, position + half, address + half, length - half);
  }

  public static void copyBlockIn(ByteBuffer src, int position, long address, int length) {
    copyIn(src, position, address, length);
  }
}
