// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import java.util.Arrays;

/**
 * The debts of size classes to others, and the classes without room.
 *
 * <p>A victim whose class has room anyway is spared, since freeing its slot would make no room.
 * Each one spared is a debt of its class to the class of the block that found no room. While all
 * sizes come and go alike, debts cancel out; when the sizes shift, the debts of the old ones grow,
 * and for every extent's worth beyond the first a class gives up an extent. Thus space passes from
 * the sizes that the policy would evict to those that come.
 *
 * <p><b>Locking.</b> Belongs to the {@link SlabAllocator}'s lock.
 */
final class ClassDebts {
  private final int extentBytes;

  /** By class: bytes of its victims that were spared, less those that were spared at its cost. */
  private final long[] bytes;

  /** By class: whether a block found no room. */
  private final boolean[] starving;

  ClassDebts(int classes, int extentBytes) {
    this.extentBytes = extentBytes;
    this.bytes = new long[classes];
    this.starving = new boolean[classes];
  }

  /** A victim of one class was spared while a block of another found no room. */
  void spare(int debtor, int creditor, int victimBytes) {
    bytes[creditor] = Math.max(-2L * extentBytes, bytes[creditor] - victimBytes);
    bytes[debtor] += victimBytes;
  }

  /** Returns whether a class should give up an extent. */
  boolean isInDebt(int sizeClass) {
    return bytes[sizeClass] >= 2L * extentBytes;
  }

  /** A class in debt gives up an extent. */
  void pay(int sizeClass) {
    bytes[sizeClass] -= extentBytes;
  }

  /** A block of this class found no room though others made room or space is free. */
  void starve(int sizeClass) {
    starving[sizeClass] = true;
  }

  boolean isStarving(int sizeClass) {
    return starving[sizeClass];
  }

  /** Room was made for those that starve, or is about to be. */
  void feed() {
    Arrays.fill(starving, false);
  }

  /** There is room for every class: none owes anything. */
  void forgive() {
    Arrays.fill(bytes, 0);
    feed();
  }
}
