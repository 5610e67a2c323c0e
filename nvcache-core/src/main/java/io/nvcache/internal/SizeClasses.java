// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.util.TreeSet;

/**
 * The slot sizes that extents are cut into.
 *
 * <p>Each is an even part of the extent, rounded down to the granule, so that nothing is left over
 * at an extent's end; the parts are chosen eight to a doubling, so that a slot wastes about a
 * twentieth of itself on average. Where that would leave sizes more than 64 KiB apart, sizes that
 * are not even parts lie between, since the waste has to fit sixteen bits of the index.
 */
final class SizeClasses {
  private static final int STEPS_SHIFT = 3;
  private static final int STEPS_PER_DOUBLING = 1 << STEPS_SHIFT;
  private static final int MAX_STEP_BYTES = BucketLayout.MAX_SLACK_BYTES + 1;

  private final int[] slotBytes;

  /**
   * By {@link #magnitude}; what a length needs is that class or one of the next two, or, beyond a
   * megabyte, where the eighths of a doubling have more classes, of the next sixteen.
   */
  private final int[] firstClass;

  /**
   * Makes the classes for blocks up to {@code maxBlockBytes}.
   *
   * @param granuleBytes a power of two, at most 64 KiB
   * @param extentBytes at least {@code maxBlockBytes}, rounded up to the granule
   */
  SizeClasses(int granuleBytes, int extentBytes, int maxBlockBytes) {
    TreeSet<Integer> sizes = new TreeSet<>();
    int largest = roundUp(maxBlockBytes, granuleBytes);
    for (int parts = extentBytes / largest; parts <= extentBytes / granuleBytes; ) {
      sizes.add(extentBytes / parts / granuleBytes * granuleBytes);
      parts += Math.max(1, Integer.highestOneBit(parts) / STEPS_PER_DOUBLING);
    }
    sizes.add(granuleBytes);
    int below = 0;
    for (int size : sizes.toArray(new Integer[0])) {
      while (size - below > MAX_STEP_BYTES) {
        below += MAX_STEP_BYTES;
        sizes.add(below);
      }
      below = size;
    }
    this.slotBytes = sizes.stream().mapToInt(Integer::intValue).toArray();
    this.firstClass = firstClasses(slotBytes);
  }

  private static int roundUp(int value, int granule) {
    return (value + granule - 1) / granule * granule;
  }

  int count() {
    return slotBytes.length;
  }

  int slotBytes(int sizeClass) {
    return slotBytes[sizeClass];
  }

  /** The smallest class whose slots hold {@code lengthBytes}. */
  int classOf(int lengthBytes) {
    int sizeClass = lengthBytes <= 0 ? 0 : firstClass[magnitude(lengthBytes)];
    while (sizeClass < slotBytes.length && slotBytes[sizeClass] < lengthBytes) {
      sizeClass++;
    }
    return sizeClass;
  }

  /** By magnitude, the class of the shortest length that has it. */
  private static int[] firstClasses(int[] slotBytes) {
    int[] first = new int[Integer.SIZE * STEPS_PER_DOUBLING];
    int sizeClass = 0;
    for (int magnitude = 0; magnitude < first.length; magnitude++) {
      while (sizeClass < slotBytes.length && magnitude(slotBytes[sizeClass]) < magnitude) {
        sizeClass++;
      }
      first[magnitude] = sizeClass;
    }
    return first;
  }

  /** Which eighth of which doubling a length is in; longer ones have no lower. */
  private static int magnitude(int length) {
    int doubling = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length);
    int eighths = length >>> Math.max(0, doubling - STEPS_SHIFT);
    return (doubling << STEPS_SHIFT) | (eighths & (STEPS_PER_DOUBLING - 1));
  }
}
