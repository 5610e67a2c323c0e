// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;

/** Merges cursors. Where several hold one key, the newest cursor's record hides the others. */
final class MergeCursor implements RecordCursor {
  /** A cursor on a record; a lower age is newer. */
  private record Source(RecordCursor cursor, int age) implements Comparable<Source> {
    @Override
    public int compareTo(Source other) {
      int byKey = Arrays.compareUnsigned(cursor.key(), other.cursor.key());
      return byKey != 0 ? byKey : Integer.compare(age, other.age);
    }
  }

  private final List<RecordCursor> cursors;
  private final PriorityQueue<Source> sources = new PriorityQueue<>();
  private boolean started;
  private byte[] key = new byte[0];
  private byte[] value = new byte[0];

  /**
   * Merges cursors, and closes them in the end.
   *
   * @param cursors the newest first, each before its first record
   */
  MergeCursor(List<? extends RecordCursor> cursors) {
    this.cursors = new ArrayList<>(cursors);
  }

  @Override
  public boolean next() throws IOException {
    if (!started) {
      started = true;
      for (int age = 0; age < cursors.size(); age++) {
        advance(new Source(cursors.get(age), age));
      }
    }
    Source newest = sources.poll();
    if (newest == null) {
      return false;
    }
    key = newest.cursor().key();
    value = newest.cursor().value();
    advance(newest);
    Source same;
    while ((same = sources.peek()) != null && Arrays.equals(same.cursor().key(), key)) {
      advance(sources.remove());
    }
    return true;
  }

  private void advance(Source source) throws IOException {
    if (source.cursor().next()) {
      sources.add(source);
    }
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] value() {
    return value;
  }

  @Override
  public void close() {
    cursors.forEach(RecordCursor::close);
  }
}
