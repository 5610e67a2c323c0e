// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import io.nvcache.medium.CloseAction;
import io.nvcache.medium.ForeignFile;
import io.nvcache.memory.FileMapping;
import io.nvcache.memory.RawMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * A file that is mapped into memory: as many whole pages as its capacity needs, all of them filled,
 * and behind them the cache's {@link Mark}, which is not mapped. Thread-safe except for {@link
 * #end}, {@link #abandon} and {@link #close}.
 */
public final class MappedFile implements AutoCloseable {
  static final int MARK_BYTES = 4096;

  private final LockedFile file;
  private final OwnerMark mark;
  private final FileMapping mapping;
  private final long capacityBytes;

  private boolean ended;

  private MappedFile(LockedFile file, OwnerMark mark, FileMapping mapping, long capacityBytes) {
    this.file = file;
    this.mark = mark;
    this.mapping = mapping;
    this.capacityBytes = capacityBytes;
  }

  /**
   * Creates the file, or takes an existing one over, fills and maps it.
   *
   * @throws IllegalStateException if the JVM denies what mapping needs; names the flags
   */
  public static MappedFile open(Path path, long capacityBytes, ForeignFile foreign)
      throws IOException {
    FileMapping.requireFlags();
    return over(LockedFile.open(path), path, capacityBytes, foreign);
  }

  /** Returns the file that is held, wherever its path may lead by now. */
  static MappedFile over(LockedFile file, Path path, long capacityBytes, ForeignFile foreign)
      throws IOException {
    try {
      file.takeOver(foreign, MARK_BYTES);
      long mapped = wholePages(capacityBytes);
      long length = mapped + MARK_BYTES;
      OwnerMark mark =
          new OwnerMark(path, new MarkPlace(file.channel(), mapped, MARK_BYTES), Mark.MAPPED);
      file.requireRoom(length);
      // Marked at once: a process may be killed before the file is full.
      file.shorten(length);
      mark.write(0);
      file.fill(0, mapped);
      mark.write(length);
      return new MappedFile(file, mark, file.map(mapped), capacityBytes);
    } catch (IOException e) {
      file.abandon();
      throw FileOpening.named(path, e);
    } catch (RuntimeException | Error e) {
      file.abandon();
      throw e;
    }
  }

  private static long wholePages(long bytes) {
    long page = RawMemory.pageBytes();
    return (bytes / page + (bytes % page == 0 ? 0 : 1)) * page;
  }

  /** Returns where its first byte is mapped. */
  public long address() {
    return mapping.address();
  }

  /** Writes what was stored through the mapping to the disk. */
  public void force() throws IOException {
    file.force();
  }

  /** Throws if the file was cut short, or is another cache's by now. */
  public void check() throws IOException {
    file.requireLength(capacityBytes);
    UninterruptibleIo.run(mark::check);
  }

  /**
   * Does with the file what was asked for, through its channel and while it is still locked. Its
   * bytes stay mapped, also when it has no name any more.
   */
  public void end(CloseAction atClose) throws IOException {
    mark.requireOwn(); // Another's is neither deleted nor wiped.
    ended = atClose != CloseAction.KEEP;
    file.end(atClose);
  }

  /** Closes it, and leaves the file as it was before it was opened, where possible. */
  public void abandon() {
    try (file;
        mapping) {
      release();
      file.abandon();
    }
  }

  @Override
  public void close() {
    try (file;
        mapping) {
      if (!ended) {
        release();
      }
    }
  }

  private void release() {
    try {
      UninterruptibleIo.run(mark::release);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
