// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Heaps in a directory, one after the other as chunks are asked for, so that a cache takes no more
 * of the disk than it has come to use.
 *
 * <p>The first heap is made at once: its lock is the directory's.
 *
 * <pre>
 *   directory/  heap-0000   8 chunks
 *               heap-0001   8 chunks
 *               heap-0002   what is left of the capacity; not made before its first chunk is used
 * </pre>
 */
final class HeapDirectory implements HeapSource {
  private static final int CHUNKS_PER_HEAP = 8;
  private static final String HEAPS = "heap-[0-9][0-9][0-9][0-9]*";

  private final Path path;
  private final boolean created;
  private final long chunkBytes;
  private final List<HeapFile> heaps = new ArrayList<>();

  /** Those for which there is no heap yet. */
  private int chunksToCome;

  private int chunksInLastHeap;

  private HeapDirectory(Path path, boolean created, int chunks, long chunkBytes) {
    this.path = path;
    this.created = created;
    this.chunksToCome = chunks;
    this.chunkBytes = chunkBytes;
  }

  /** Makes the directory if it is missing (readable by its owner only) and the first heap in it. */
  static HeapDirectory create(Path path, int chunks, long chunkBytes) throws IOException {
    HeapFile.requireOwnName(path);
    boolean created = !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    if (created) {
      HeapFile.locate(path);
      createForOwner(path);
    } else if (!Files.isDirectory(path)) {
      throw new IOException("can't use " + path + " for heaps: it is not a directory; name one");
    }
    HeapDirectory directory = new HeapDirectory(path.toRealPath(), created, chunks, chunkBytes);
    try {
      directory.addHeap();
      directory.removeLeftovers();
      return directory;
    } catch (IOException | RuntimeException | Error e) {
      LlplHeapMediumBuilder.deleteAll(List.of(directory), e);
      throw e;
    }
  }

  private static void createForOwner(Path path) throws IOException {
    try {
      Files.createDirectory(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (AccessDeniedException e) {
      throw HeapFile.denied("create", path, e);
    }
  }

  private void addHeap() throws IOException {
    int chunks = Math.min(CHUNKS_PER_HEAP, chunksToCome);
    Path file = path.resolve(String.format(Locale.ROOT, "heap-%04d", heaps.size()));
    heaps.add(HeapFile.create(file, HeapFile.lengthFor(chunks * chunkBytes)));
    chunksInLastHeap = chunks;
    chunksToCome -= chunks;
  }

  private void removeLeftovers() throws IOException {
    for (Path file : heapsIn(path)) {
      if (!file.equals(heaps.get(0).path())) {
        HeapFile.removeLeftover(file);
      }
    }
  }

  /** Returns the files that have the name of a heap. */
  static List<Path> heapsIn(Path directory) throws IOException {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, HEAPS)) {
      found.forEach(files::add);
    }
    return files;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public Path directory() {
    return path;
  }

  @Override
  public long allocate(long lengthBytes) throws IOException {
    if (chunksInLastHeap == 0) {
      addHeap();
    }
    long address = heaps.get(heaps.size() - 1).allocate(lengthBytes);
    chunksInLastHeap--;
    return address;
  }

  @Override
  public void force() throws IOException {
    for (HeapFile heap : heaps) {
      heap.force();
    }
  }

  @Override
  public void delete() throws IOException {
    IOException failure = null;
    for (HeapFile heap : heaps) {
      try {
        heap.delete();
      } catch (IOException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw failure;
    }
    if (created) {
      try {
        Files.deleteIfExists(path);
      } catch (DirectoryNotEmptyException e) {
        // Somebody has put something there, and keeps it.
      }
    }
  }
}
