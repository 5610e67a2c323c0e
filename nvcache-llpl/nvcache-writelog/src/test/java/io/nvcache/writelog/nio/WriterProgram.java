// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.nio;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes numbers to the places of a file in turn, and prints each when its write has returned,
 * until it is killed. A place is full of its number, and lies across pages.
 */
public final class WriterProgram {
  private static final int PLACES = 64;
  private static final int PLACE_BYTES = 5000;

  private WriterProgram() {}

  /** Takes the file and how many numbers to write. */
  public static void main(String[] args) throws Exception {
    try (FileChannel file =
        FileChannel.open(
            Path.of(args[0]),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      long last = last(file);
      System.out.println("found " + last + " " + last + " " + 100 * last);
      ByteBuffer place = ByteBuffer.allocateDirect(PLACE_BYTES);
      for (long n = last + 1; n <= last + Integer.parseInt(args[1]); n++) {
        place.clear();
        while (place.hasRemaining()) {
          place.putLong(n);
        }
        file.write(place.flip(), n % PLACES * PLACE_BYTES);
        System.out.println(n);
      }
    }
    System.out.println("end");
  }

  /** Returns the last number, of a file in which each place has its last one, whole. */
  private static long last(FileChannel file) throws Exception {
    long[] numbers = new long[PLACES];
    long last = 0;
    for (int i = 0; i < PLACES; i++) {
      ByteBuffer place = ByteBuffer.allocate(PLACE_BYTES);
      while (place.hasRemaining()
          && file.read(place, (long) i * PLACE_BYTES + place.position()) > 0) {}
      place.clear();
      numbers[i] = place.getLong();
      while (place.hasRemaining()) {
        require(place.getLong() == numbers[i], "place " + i + " is torn");
      }
      last = Math.max(last, numbers[i]);
    }
    for (int i = 0; i < PLACES; i++) {
      long newest = last - (last - i + PLACES) % PLACES;
      require(
          numbers[i] == Math.max(0, newest), "place " + i + " has " + numbers[i] + " of " + last);
    }
    return last;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }
}
