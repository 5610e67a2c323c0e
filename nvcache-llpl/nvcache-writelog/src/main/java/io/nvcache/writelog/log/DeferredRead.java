// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.log;

import io.nvcache.writelog.disk.FileSource;
import io.nvcache.writelog.format.FileTable;
import io.nvcache.writelog.pages.PageKeys;
import io.nvcache.writelog.pages.PendingPages;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads a file some of whose newest bytes only the log has. */
final class DeferredRead {
  private static final byte[] ZEROS = new byte[PageKeys.PAGE_BYTES];

  private DeferredRead() {}

  /** Reads what the file has, and puts what the log has over it. */
  static int run(
      LoggedFile file, PendingPages pages, ByteBuffer target, long position, FileSource source)
      throws IOException {
    int begin = target.position();
    while (true) {
      // Before all that is asked below: a page that is removed later is in the file only later.
      long version = pages.version();
      if (!file.isDirty()) {
        file.requireNotSick();
        return source.read(target, position);
      }
      file.requireHealthy();
      long id = file.id();
      if (id == 0) {
        continue; // It was drained since, and gave its slot back.
      }
      int slot = FileTable.slotOf(id);
      int most = target.remaining();
      int found = 0;
      while (found < most) {
        int n = source.read(target, position + found);
        if (n <= 0) {
          break;
        }
        found += n;
      }
      target.position(begin);
      int count = (int) Math.min(most, Math.max(0, file.newestLength() - position));
      zero(target, begin + found, begin + count);
      // The slot may have passed to another file.
      if (pages.overlay(version, slot, target, begin, position, count) && file.id() == id) {
        target.position(begin + count);
        return count == 0 && most > 0 ? -1 : count;
      }
    }
  }

  /** What is behind the file's end, and in the log only, may have gaps. */
  private static void zero(ByteBuffer target, int from, int to) {
    for (int at = from; at < to; at += ZEROS.length) {
      target.put(at, ZEROS, 0, Math.min(ZEROS.length, to - at));
    }
  }
}
