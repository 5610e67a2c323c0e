// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import java.util.Arrays;
import java.util.Locale;

/**
 * One thing to measure of one filled cache. Written as {@code hit-copy/heap/uniform/1}.
 *
 * @param operation what is done
 * @param buffer where blocks are copied to or from
 * @param keys which blocks
 * @param threads by how many threads at once
 */
record Cell(ComparedOperation operation, Buffers buffer, Keys keys, int threads) {
  /** The kinds of buffer. */
  enum Buffers {
    HEAP,
    DIRECT
  }

  /** The distributions of keys. */
  enum Keys {
    UNIFORM,
    ZIPFIAN,
    /** One block only. */
    HOT
  }

  static Cell parse(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 4) {
      throw new IllegalArgumentException(
          "a cell is " + text + "; it must be like hit-copy/heap/uniform/1");
    }
    int threads = Integer.parseInt(parts[3]);
    if (threads < 1) {
      throw new IllegalArgumentException("a cell has " + threads + " threads; give it at least 1");
    }
    return new Cell(
        constant(ComparedOperation.class, parts[0]),
        constant(Buffers.class, parts[1]),
        constant(Keys.class, parts[2]),
        threads);
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String label) {
    return Arrays.stream(type.getEnumConstants())
        .filter(constant -> label(constant).equals(label))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    label
                        + " is none of "
                        + Arrays.stream(type.getEnumConstants()).map(Cell::label).toList()));
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public String toString() {
    return String.join(
        "/", label(operation), label(buffer), label(keys), Integer.toString(threads));
  }

  String bufferLabel() {
    return label(buffer);
  }

  String keysLabel() {
    return label(keys);
  }
}
