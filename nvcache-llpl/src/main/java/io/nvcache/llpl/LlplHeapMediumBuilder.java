// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import io.nvcache.medium.CloseAction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Configures where the heaps of a {@link LlplHeapMedium} are. Each {@link #file} and each {@link
 * #directory} gets an equal part of the capacity, in chunks of 128 MiB dealt out in turn, so that
 * memories on several mounts work side by side. Not thread-safe.
 */
public final class LlplHeapMediumBuilder {
  private final long capacityBytes;
  private final List<Opener> places = new ArrayList<>();
  private int chunkShift = LlplHeapMedium.CHUNK_SHIFT;
  private CloseAction atClose = CloseAction.DELETE;

  /** Opens the heaps for so many bytes, divided into so many chunks. */
  private interface Opener {
    HeapSource open(long bytes, int chunks) throws IOException;
  }

  LlplHeapMediumBuilder(long capacityBytes) {
    if (capacityBytes < HeapFile.XPLINE_BYTES) {
      throw new IllegalArgumentException(
          "capacityBytes is "
              + capacityBytes
              + "; give the medium at least "
              + HeapFile.XPLINE_BYTES);
    }
    this.capacityBytes = capacityBytes & -HeapFile.XPLINE_BYTES;
  }

  /** Sets a heap in a file, all of whose bytes are allocated at once. */
  public LlplHeapMediumBuilder file(Path path) {
    Objects.requireNonNull(path, "path");
    places.add((bytes, chunks) -> HeapFile.create(path, HeapFile.lengthFor(bytes)));
    return this;
  }

  /**
   * Heaps in a directory, 1 GiB each, made when the cache has come to need them. The directory is
   * made with the mode 0700 if it is missing. Where the disk is full by that time, offers to what
   * can't be made answer {@code MEDIUM_FAILED}.
   */
  public LlplHeapMediumBuilder directory(Path path) {
    Objects.requireNonNull(path, "path");
    places.add((bytes, chunks) -> HeapDirectory.create(path, chunks, 1L << chunkShift));
    return this;
  }

  /**
   * Lets {@link LlplHeapMedium#close} overwrite all cached bytes before it deletes the heaps. Takes
   * as long as writing the capacity does.
   */
  public LlplHeapMediumBuilder wipedAtClose() {
    this.atClose = CloseAction.WIPE;
    return this;
  }

  LlplHeapMediumBuilder chunkShift(int shift) {
    this.chunkShift = shift;
    return this;
  }

  /**
   * Creates the heaps.
   *
   * @throws IllegalArgumentException if no place was named, or more than there are chunks
   * @throws LlplUnavailableException if LLPL can't work on this machine
   * @throws IOException as {@link LlplHeapMedium#create} says; no heap is left then
   */
  public LlplHeapMedium create() throws IOException {
    int chunks = LlplHeapMedium.chunks(capacityBytes, chunkShift);
    if (places.isEmpty()) {
      throw new IllegalArgumentException("no place was named; call file or directory");
    }
    if (places.size() > chunks) {
      throw new IllegalArgumentException(
          capacityBytes
              + " bytes are "
              + chunks
              + " chunks, too few for "
              + places.size()
              + " places; raise the capacity, or name fewer");
    }
    PmemLibraries.require();
    List<HeapSource> sources = new ArrayList<>();
    try {
      for (Opener place : places) {
        sources.add(open(place, sources.size(), chunks));
      }
      return new LlplHeapMedium(sources, capacityBytes, chunkShift, atClose);
    } catch (IOException | RuntimeException | Error e) {
      deleteAll(sources, e);
      throw e;
    }
  }

  /** Deletes all of them whatever one says: what is not deleted stays mapped and locked. */
  static void deleteAll(List<HeapSource> sources, Throwable cause) {
    for (HeapSource source : sources) {
      try {
        source.delete();
      } catch (IOException | RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
  }

  /** Returns a place's chunks are every so many-th; the last of all may be shorter. */
  private HeapSource open(Opener place, int number, int chunks) throws IOException {
    int ofPlace = (chunks - number - 1) / places.size() + 1;
    long bytes = (long) ofPlace << chunkShift;
    if ((chunks - 1) % places.size() == number) {
      bytes -= ((long) chunks << chunkShift) - capacityBytes;
    }
    return place.open(bytes, ofPlace);
  }
}
