// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import java.util.Arrays;

/**
 * Which file segments owned the numbers of a {@link FileTable} at some moment. Holds as long as
 * {@link FileTable#drops} says what it said before the table was read; numbers given since have no
 * owner here.
 */
public final class FileNumberSnapshot {
  private static final int NOBODY = -1;

  private final int drops;
  private final long[] fileIds;
  private final int[] segments;

  FileNumberSnapshot(int drops, int numbers) {
    this.drops = drops;
    this.fileIds = new long[numbers];
    this.segments = new int[numbers];
    Arrays.fill(segments, NOBODY);
  }

  void put(int number, long fileId, int segment) {
    if (number < segments.length) { // Else it was given while the table was read.
      fileIds[number] = fileId;
      segments[number] = segment;
    }
  }

  /** Returns what {@link FileTable#drops} said before the table was read. */
  public int drops() {
    return drops;
  }

  public boolean knows(int number) {
    return number < segments.length && segments[number] != NOBODY;
  }

  /** Returns the file of a number that has an owner. */
  public long fileId(int number) {
    return fileIds[number];
  }

  /** Returns which segment of the file it is. */
  public int segment(int number) {
    return segments[number];
  }
}
