// SPDX-License-Identifier: Apache-2.0
package io.nvcache.memory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * Asks Linux which pages of this process's memory have never been used, so that they need not be
 * read to know that they hold zeros.
 *
 * <p>A page that is only read is mapped to the system's one page of zeros. When it is written
 * later, all processors that run the process are interrupted, to forget that mapping: readers of an
 * index that is filled next to them wait for thousands of interrupts. A page that was never read is
 * written without any.
 *
 * @see <a href="https://docs.kernel.org/admin-guide/mm/pagemap.html">pagemap, of the Linux
 *     kernel</a>
 */
final class UnusedPages implements AutoCloseable {
  private static final Path MAP = Path.of("/proc/self/pagemap");

  /** Eight bytes a page; bit 63: in memory, bit 62: swapped out. */
  private static final int ENTRY_BYTES = Long.BYTES;

  private static final long USED_BITS = 3L << 62;
  private static final int ENTRIES_AT_ONCE = 8 << 10;

  private final FileChannel map;
  private final AlignedBuffer memory;
  private final ByteBuffer entries;
  private final int pageBytes = RawMemory.pageBytes();
  private long firstPage;
  private boolean isShown = true;

  private UnusedPages(FileChannel map, AlignedBuffer memory) {
    this.map = map;
    this.memory = memory;
    this.entries = memory.first(0).order(ByteOrder.nativeOrder());
  }

  /** Opens the system's map; null if it has none, or does not show it. */
  static @Nullable UnusedPages open() {
    try {
      AlignedBuffer entries = AlignedBuffer.allocate(ENTRIES_AT_ONCE * ENTRY_BYTES, ENTRY_BYTES);
      return new UnusedPages(FileChannel.open(MAP, StandardOpenOption.READ), entries);
    } catch (IOException | RuntimeException | OutOfMemoryError notShown) {
      return null;
    }
  }

  /**
   * Returns where the first page begins or ends, from an address on, that may have been used.
   *
   * @return the address itself, or the beginning of a later page
   */
  long unusedUpTo(long address, long end) {
    long at = address;
    while (at < end && isUnused(at / pageBytes, (end - 1) / pageBytes)) {
      at = (at / pageBytes + 1) * pageBytes;
    }
    return at;
  }

  private boolean isUnused(long page, long lastPage) {
    if (!isShown) {
      return false;
    }
    if (page < firstPage || page >= firstPage + entries.limit() / ENTRY_BYTES) {
      read(page, lastPage);
    }
    int at = (int) (page - firstPage) * ENTRY_BYTES;
    return at < entries.limit() && (entries.getLong(at) & USED_BITS) == 0;
  }

  /** Reads entries from a page's on; none if the system shows none. */
  private void read(long page, long lastPage) {
    firstPage = page;
    entries.clear().limit((int) Math.min(ENTRIES_AT_ONCE, lastPage - page + 1) * ENTRY_BYTES);
    try {
      long at = page * ENTRY_BYTES;
      while (entries.hasRemaining() && map.read(entries, at + entries.position()) > 0) {
        // The rest is yet to come.
      }
      entries.limit(entries.position() / ENTRY_BYTES * ENTRY_BYTES);
    } catch (IOException notShown) {
      entries.limit(0);
    }
    isShown = entries.limit() > 0;
  }

  @Override
  public void close() {
    memory.free();
    try {
      map.close();
    } catch (IOException unused) {
      // Nothing was written.
    }
  }
}
