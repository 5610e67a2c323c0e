// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.slots;

import io.nvcache.internal.index.BucketLayout;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The slot sizes that blocks' lengths are rounded up to. */
final class SizeClasses {
  private static final int STEPS_SHIFT = 3;
  private static final int STEPS_PER_DOUBLING = 1 << STEPS_SHIFT;
  private static final int MAX_STEP_BYTES = BucketLayout.MAX_SLACK_BYTES + 1;

  /** Of slots anywhere: 1/64 is wasted on average. */
  private static final int FINE_STEPS_PER_DOUBLING = 32;

  private final int[] slotBytes;

  /**
   * By {@link #magnitude}; what a length needs is that class or one of the next few: more where the
   * eighths of a doubling have more classes.
   */
  private final int[] firstClass;

  private SizeClasses(int[] slotBytes) {
    this.slotBytes = slotBytes;
    this.firstClass = firstClasses(slotBytes);
  }

  /**
   * Returns the sizes that an extent is cut into, for blocks up to {@code maxBlockBytes}.
   *
   * <p>Each is an even part of the extent, rounded down to the granule, so that nothing is left
   * over at an extent's end; the parts are chosen eight to a doubling, so that a slot wastes about
   * 5 % of itself on average. Where that would leave sizes more than 64 KiB apart, sizes that are
   * not even parts lie between, since the waste has to fit sixteen bits of the index.
   *
   * @param granuleBytes a power of two, at most 64 KiB
   * @param extentBytes at least {@code maxBlockBytes}, rounded up to the granule
   */
  static SizeClasses evenParts(int granuleBytes, int extentBytes, int maxBlockBytes) {
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
    return new SizeClasses(sizes.stream().mapToInt(Integer::intValue).toArray());
  }

  /**
   * Sizes a granule apart, or, where those would be too many, the 32nd part of a doubling or more.
   *
   * @param granuleBytes a power of two, at most 64 KiB
   * @param most how many there may be
   */
  static SizeClasses fine(int granuleBytes, int maxBlockBytes, int most) {
    int largest = roundUp(maxBlockBytes, granuleBytes);
    int steps = FINE_STEPS_PER_DOUBLING;
    int[] sizes = fineSizes(granuleBytes, largest, steps);
    while (sizes.length > most) {
      steps /= 2;
      sizes = fineSizes(granuleBytes, largest, steps);
    }
    return new SizeClasses(sizes);
  }

  private static int[] fineSizes(int granuleBytes, int largest, int steps) {
    IntStream below =
        IntStream.iterate(
            granuleBytes,
            size -> size < largest,
            size -> {
              int step = Integer.highestOneBit(size) / steps;
              return size + Math.min(MAX_STEP_BYTES, Math.max(granuleBytes, step));
            });
    return IntStream.concat(below, IntStream.of(largest)).toArray();
  }

  private static int roundUp(int value, int granule) {
    return (value + granule - 1) / granule * granule;
  }

  int count() {
    return slotBytes.length;
  }

  /** All sizes, the smallest first. */
  int[] slotBytes() {
    return slotBytes.clone();
  }

  int slotBytes(int sizeClass) {
    return slotBytes[sizeClass];
  }

  /** Returns the smallest class whose slots hold {@code lengthBytes}. */
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

  /** Returns which eighth of which doubling a length is in; longer ones have no lower. */
  private static int magnitude(int length) {
    int doubling = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(length);
    int eighths = length >>> Math.max(0, doubling - STEPS_SHIFT);
    return (doubling << STEPS_SHIFT) | (eighths & (STEPS_PER_DOUBLING - 1));
  }
}
