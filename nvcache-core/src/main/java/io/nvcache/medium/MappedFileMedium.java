// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import io.nvcache.medium.file.MappedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A file mapped into memory: on a DAX file system it is the persistent memory itself, on any other
 * the page cache over the file.
 *
 * <p>The file is made as long as the capacity, in whole pages, and filled before it is mapped,
 * never sparse: a write to a mapped page for which the disk has no block left would kill the JVM.
 * Behind the capacity it has a page that says whose it is. No other process and no other cache can
 * have it as long as the medium is open. What an earlier cache left in it is overwritten, and a
 * file that no cache is known to have written is refused, unless {@link ForeignFile#OVERWRITTEN}
 * was asked for; when the medium is closed it stays, with the bytes of the cached blocks in it,
 * readable to its owner only, unless another {@link CloseAction} was chosen.
 *
 * <p>Mapping needs JVM flags; docs/reference/configuration.md has them. A missing one is found out
 * before the file is touched.
 */
public final class MappedFileMedium extends MemoryMedium {
  private static final int XPLINE_BYTES = 256;

  /** No file system has longer files. */
  private static final long MAX_BYTES = 1L << 60;

  private final Path path;
  private final MappedFile file;
  private final CloseAction atClose;

  private boolean retired;
  private boolean abandoned;

  private MappedFileMedium(Path path, MappedFile file, long capacityBytes, CloseAction atClose) {
    super(file.address(), capacityBytes);
    this.path = path;
    this.file = file;
    this.atClose = atClose;
  }

  /**
   * Creates the file, or takes an existing one over, fills and maps it.
   *
   * @throws IllegalArgumentException if {@code capacityBytes} is not between 1 and 2^60
   * @throws IllegalStateException if the JVM denies what mapping needs; names the flags
   * @throws IOException if the directory is missing, the file can't be opened or locked, it holds
   *     what no cache wrote, or the disk has no room; a file that was created is then gone again
   */
  public static MappedFileMedium create(Path path, long capacityBytes) throws IOException {
    return create(path, capacityBytes, CloseAction.KEEP);
  }

  /** Opens the same, with a choice of what becomes of the file when the medium is closed. */
  public static MappedFileMedium create(Path path, long capacityBytes, CloseAction atClose)
      throws IOException {
    return create(path, capacityBytes, atClose, ForeignFile.REFUSED);
  }

  /**
   * Opens the same, with a choice of what becomes of a file that no cache is known to have written.
   */
  public static MappedFileMedium create(
      Path path, long capacityBytes, CloseAction atClose, ForeignFile foreign) throws IOException {
    if (capacityBytes <= 0 || capacityBytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "capacityBytes is " + capacityBytes + "; it must be between 1 and " + MAX_BYTES);
    }
    Objects.requireNonNull(path, "path");
    Objects.requireNonNull(atClose, "atClose");
    Objects.requireNonNull(foreign, "foreign");
    MappedFile file = MappedFile.open(path, capacityBytes, foreign);
    return new MappedFileMedium(path, file, capacityBytes, atClose);
  }

  /**
   * Returns Optane's internal line, so that neighbouring blocks never share one (SoCC '22, §2.1).
   */
  @Override
  public int alignmentBytes() {
    return XPLINE_BYTES;
  }

  @Override
  public void persist(long offset, long length) throws IOException {
    file.force();
  }

  /** Checks the file's length: one cut short would answer reads of what is gone with a fault. */
  @Override
  public void check() throws IOException {
    file.check();
  }

  @Override
  public Durability durability() {
    return Durability.PROCESS_CRASH;
  }

  @Override
  public Optional<Path> path() {
    return Optional.of(path);
  }

  @Override
  public String describe() {
    return "mapped file " + path + ", " + capacityBytes() + " bytes";
  }

  /**
   * Wipes and deletes the file, if that was asked for. Its bytes stay mapped, also when it has no
   * name any more.
   */
  @Override
  public synchronized void retire() {
    if (retired || abandoned) {
      return;
    }
    retired = true; // Not again after a failure: another may own the path.
    try {
      file.end(atClose);
    } catch (IOException e) {
      throw new UncheckedIOException("can't end " + path + ": " + e.getMessage(), e);
    }
  }

  /** Has closing leave the file as it was before it was opened, as far as that can be. */
  @Override
  public synchronized void abandon() {
    abandoned = true;
  }

  @Override
  void free() {
    if (abandoned) {
      file.abandon();
      return;
    }
    try (file) {
      retire();
    }
  }
}
