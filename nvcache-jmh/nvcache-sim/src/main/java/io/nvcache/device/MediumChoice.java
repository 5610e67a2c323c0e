// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

import io.nvcache.llpl.LlplHeapMedium;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.report.Labelled;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The media that a second tier can be put on. */
public enum MediumChoice implements Labelled {
  /** Memory outside the heap. */
  NATIVE("native memory"),
  /** A mapped file. */
  MAPPED("mapped file"),
  /** A file of a local SSD, past the page cache. */
  FLASH("flash"),
  /** A heap of LLPL. */
  LLPL("LLPL heap"),
  /** Memory slowed down to Optane's speed. */
  EMULATED_NVRAM("emulated NVRAM");

  private final String title;

  MediumChoice(String title) {
    this.title = title;
  }

  /** The name in tables and reports. */
  public String title() {
    return title;
  }

  /** Returns the labels of those that lie in files, for messages. */
  public static String labelsInFiles(String conjunction) {
    return String.join(", ", MAPPED.label(), FLASH.label())
        + " "
        + conjunction
        + " "
        + LLPL.label();
  }

  /** Whether it takes the machine's memory. */
  public boolean isMemory() {
    return this == NATIVE || this == EMULATED_NVRAM;
  }

  /**
   * Opens such a medium, new and empty, whose files are deleted when it is closed.
   *
   * @param path the file of a mapped medium or of one on flash, the file or directory of LLPL's
   *     heaps
   * @param nvramScale speed of the emulated NVRAM; 1 = the paper's
   * @throws FileAlreadyExistsException if there is such a file of a mapped medium or of one on
   *     flash: it would be overwritten, and deleted at the end
   */
  public Medium open(@Nullable Path path, double nvramScale, long capacityBytes)
      throws IOException {
    return switch (this) {
      case NATIVE -> NativeMedium.allocate(capacityBytes);
      case MAPPED -> MappedFileMedium.create(unused(path), capacityBytes, CloseAction.DELETE);
      case FLASH -> FlashMedium.create(unused(path), capacityBytes, CloseAction.DELETE);
      case LLPL -> openHeap(required(path), capacityBytes);
      case EMULATED_NVRAM ->
          new EmulatedNvramMedium(
              NativeMedium.allocate(capacityBytes), new NvramSpeeds(nvramScale));
    };
  }

  private static Medium openHeap(Path path, long capacityBytes) throws IOException {
    return Files.isDirectory(path)
        ? LlplHeapMedium.builder(capacityBytes).directory(path).create()
        : LlplHeapMedium.create(path, capacityBytes);
  }

  private static Path unused(@Nullable Path path) throws IOException {
    Path file = required(path);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(file.toString(), null, "a medium's file must be new");
    }
    return file;
  }

  private static Path required(@Nullable Path path) {
    return Objects.requireNonNull(path, "a medium with files has a path");
  }
}
