// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import io.nvcache.background.SharedCleaner;
import java.lang.ref.Cleaner;

/**
 * Native memory that goes back to the system when it is freed or, at the latest, when the garbage
 * collector finds that nothing refers to it any more. It does not count in what {@code
 * -XX:MaxDirectMemorySize} bounds: the JDK collects the whole heap and waits when that bound is
 * reached, which no lookup may cost.
 */
final class CollectedMemory implements MemoryOwner {

  private final long address;

  private final Cleaner.Cleanable cleanable;

  private CollectedMemory(AddressedMemory.Range range, Runnable whenFreed) {
    this.address = range.address();
    // The action must not refer to this object, or it would never become unreachable.
    this.cleanable = SharedCleaner.register(this, new Freeing(range, whenFreed));
  }

  private record Freeing(AddressedMemory.Range range, Runnable whenFreed) implements Runnable {
    @Override
    public void run() {
      range.release();
      whenFreed.run();
    }
  }

  /**
   * Allocates memory that may hold anything.
   *
   * @param whenFreed run once, when the memory has gone back; must not refer to what holds it
   * @throws OutOfMemoryError if the system does not give as much
   */
  static CollectedMemory allocate(long sizeBytes, Runnable whenFreed) {
    AddressedMemory.Range range = RawMemory.MEMORY.allocate(sizeBytes);
    try {
      return new CollectedMemory(range, whenFreed);
    } catch (OutOfMemoryError e) {
      range.release();
      throw e;
    }
  }

  long address() {
    return address;
  }

  @Override
  public boolean isFileBacked() {
    return false;
  }

  /** Gives the memory back, which no thread may use any more. Does nothing the second time. */
  void free() {
    cleanable.clean();
  }
}
