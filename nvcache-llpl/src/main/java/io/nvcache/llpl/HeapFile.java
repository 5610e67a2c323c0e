// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import com.intel.pmem.llpl.Heap;
import com.intel.pmem.llpl.HeapException;
import com.intel.pmem.llpl.MemoryBlock;
import io.nvcache.medium.Wipe;
import io.nvcache.medium.file.PathChecks;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A heap in its own file, new each time: what an earlier process left there is removed, if the mark
 * in it says that it was a cache's, and nothing else ever is.
 *
 * <p>libpmemobj locks the file of an open heap ({@code flock}) and allocates all of its blocks when
 * it creates one, readable to its owner only.
 */
final class HeapFile implements HeapSource {
  /** Optane's internal line (SoCC '22, §2.1). */
  static final int XPLINE_BYTES = 256;

  /** A page, so that a block of 4 KiB lies on one and its reader misses the TLB once, not twice. */
  private static final int CHUNK_ALIGNMENT = 4096;

  /**
   * Bytes of a heap for its own needs, and the part of it that chunks can't use: a zone of
   * libpmemobj, 16 GiB less its bookkeeping, holds 127 chunks of 128 MiB, and a chunk takes 256 KiB
   * more than its length. 1/64 covers both: it was enough for every capacity tried up to 60 GiB.
   */
  private static final long HEAP_BYTES = 16L << 20;

  private static final int HEAP_PART = 64;

  /** The root object of a cache's heap: "NVCACHE" and a version. */
  private static final long MARK = 0x4E56_4341_4348_4501L;

  /**
   * Where libpmemobj says what a file is.
   *
   * <pre>
   *   0            8      4096         5120
   *   | PMEMOBJ\0  |  ..  | llpl_heap\0 |  ..
   *     signature            layout
   * </pre>
   */
  private static final byte[] SIGNATURE = "PMEMOBJ\0".getBytes(StandardCharsets.US_ASCII);

  private static final int LAYOUT_OFFSET = 4096;
  private static final byte[] LAYOUT = "llpl_heap\0".getBytes(StandardCharsets.US_ASCII);

  private final Path path;
  private final Heap heap;
  private final @Nullable Object key;

  private HeapFile(Path path, Heap heap) throws IOException {
    this.path = path;
    this.heap = heap;
    this.key = fileKey(path);
  }

  /** Says in a new heap whose it is. */
  @FunctionalInterface
  interface Marking {
    void mark(Heap heap);
  }

  static HeapFile create(Path path, long lengthBytes) throws IOException {
    return create(path, lengthBytes, HeapFile::mark);
  }

  private static void mark(Heap heap) {
    MemoryBlock mark = heap.allocateMemoryBlock(Long.BYTES);
    mark.setLong(0, MARK);
    mark.flush(0, Long.BYTES);
    heap.setRoot(mark.handle());
  }

  /** Creates one at a time, or two caches of this process could both take a path for theirs. */
  static synchronized HeapFile create(Path path, long lengthBytes, Marking marking)
      throws IOException {
    Path file = locate(path);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      removeLeftover(file);
    }
    requireRoom(file, lengthBytes);
    try {
      return marked(file, Heap.createHeap(file.toString(), lengthBytes), marking);
    } catch (HeapException e) {
      throw explain("create", file, e);
    }
  }

  private static HeapFile marked(Path file, Heap heap, Marking marking) throws IOException {
    try {
      marking.mark(heap);
      return new HeapFile(file, heap);
    } catch (IOException | RuntimeException | Error e) {
      // Left without its mark, the file would be refused as another program's for ever after.
      try {
        Files.deleteIfExists(file);
      } finally {
        HeapAccess.close(heap);
      }
      throw e;
    }
  }

  /** Returns how long the file of a heap must be that chunks of so many bytes can be taken from. */
  static long lengthFor(long chunkBytes) {
    return chunkBytes + chunkBytes / HEAP_PART + HEAP_BYTES;
  }

  @Override
  public Path path() {
    return path;
  }

  @Override
  public Path directory() {
    return Objects.requireNonNull(path.getParent());
  }

  Heap heap() {
    return heap;
  }

  @Override
  public long allocate(long lengthBytes) throws IOException {
    try {
      long payload = HeapAccess.address(heap.allocateMemoryBlock(lengthBytes + CHUNK_ALIGNMENT));
      return (payload + CHUNK_ALIGNMENT - 1) & -CHUNK_ALIGNMENT;
    } catch (HeapException e) {
      throw new IOException(
          "can't allocate " + lengthBytes + " bytes in the heap " + path + ": " + e, e);
    }
  }

  @Override
  public void force() throws IOException {
    try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /**
   * Deletes the file and unmaps the heap, in this order: what is deleted is still locked. A file
   * that another program put in its place stays.
   */
  @Override
  public void delete() throws IOException {
    try {
      if (Objects.equals(key, fileKey(path))) {
        Files.deleteIfExists(path);
      }
    } finally {
      HeapAccess.close(heap);
    }
  }

  /**
   * Any two names of a file become one, because LLPL identifies heaps by name. A name that leads
   * elsewhere is refused, as a mapped file's is.
   */
  static Path locate(Path path) throws IOException {
    requireOwnName(path);
    Path absolute = path.toAbsolutePath().normalize();
    Path directory = absolute.getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw new IOException(
          "can't create " + path + ": its directory does not exist; create it, or name another");
    }
    return directory.toRealPath().resolve(absolute.getFileName());
  }

  /** Refuses a link and a name that climbs, as for a mapped file. */
  static void requireOwnName(Path path) throws IOException {
    String fault = PathChecks.fault(path, "file or directory");
    if (fault != null) {
      throw new IOException("can't use " + path + ": " + fault);
    }
  }

  /** Deletes what a killed process left, if it is a cache's heap that no process holds. */
  static void removeLeftover(Path file) throws IOException {
    Heap leftover = openLeftover(file);
    try {
      Files.delete(file); // While it is locked.
    } finally {
      HeapAccess.close(leftover);
    }
  }

  /** Overwrites and deletes what a killed process left, under the same conditions. */
  static synchronized void wipeLeftover(Path path) throws IOException {
    Path file = locate(path);
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      requireRegular(file); // To open a pipe would wait for somebody who reads it.
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      Object key = fileKey(file);
      // No other process writes to a heap that this one maps; the header goes first, and without it
      // the
      // file belongs to no cache.
      HeapAccess.close(openLeftover(file));
      Wipe.overwrite(channel);
      if (Objects.equals(key, fileKey(file))) {
        Files.delete(file);
      }
    } catch (NoSuchFileException e) {
      throw new IOException("can't wipe " + path + ": it does not exist", e);
    } catch (AccessDeniedException e) {
      throw denied("open", file, e);
    }
  }

  private static Heap openLeftover(Path file) throws IOException {
    requireRegular(file);
    if (HeapAccess.isOpen(file.toString())) {
      throw held(file, null);
    }
    requireOwn(file);
    requireHeader(file);
    Object found = fileKey(file);
    Heap leftover;
    try {
      leftover = Heap.openHeap(file.toString());
    } catch (HeapException e) {
      throw explain("open", file, e);
    }
    boolean ours = isMarked(leftover);
    // The previous holder of the lock may have put its own heap instead of the one now open.
    if (ours && Objects.equals(found, fileKey(file))) {
      return leftover;
    }
    HeapAccess.close(leftover);
    throw ours ? held(file, null) : notOurs(file, "it is a heap of another program", null);
  }

  private static void requireRegular(Path file) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("can't use " + file + ": it is not a regular file; name another path");
    }
  }

  /**
   * libpmemobj believes what a heap says of itself: one that another user may have written could
   * end the JVM.
   */
  private static void requireOwn(Path file) throws IOException {
    if (!file.getFileSystem().supportedFileAttributeViews().contains("unix")) {
      return;
    }
    Map<String, Object> attributes =
        Files.readAttributes(file, "unix:uid,permissions", LinkOption.NOFOLLOW_LINKS);
    Path self = file.getFileSystem().getPath("/proc/self");
    Object owner = attributes.get("uid");
    boolean mine = !Files.exists(self) || Files.getAttribute(self, "unix:uid").equals(owner);
    Set<?> mode = (Set<?>) Objects.requireNonNull(attributes.get("permissions"));
    if (!mine
        || mode.contains(PosixFilePermission.GROUP_WRITE)
        || mode.contains(PosixFilePermission.OTHERS_WRITE)) {
      throw new IOException(
          "can't use "
              + file
              + ": it belongs to user "
              + owner
              + ", or others may write to it, so that it need not be what a cache left; delete it,"
              + " or name another path");
    }
  }

  /** Opening a file that is no heap can end the JVM: for an empty one libpmemobj does (SIGBUS). */
  private static void requireHeader(Path file) throws IOException {
    byte[] start;
    try (InputStream in = Files.newInputStream(file)) {
      start = in.readNBytes(LAYOUT_OFFSET + LAYOUT.length);
    } catch (AccessDeniedException e) {
      throw denied("open", file, e);
    }
    if (!hasAt(0, start, SIGNATURE)
        || !hasAt(LAYOUT_OFFSET, start, LAYOUT)
        || Files.size(file) < HeapAccess.minimumHeapBytes()) {
      throw notOurs(file, "it has not the header and length of an LLPL heap", null);
    }
  }

  private static boolean hasAt(int offset, byte[] bytes, byte[] expected) {
    int end = offset + expected.length;
    return end <= bytes.length && Arrays.equals(bytes, offset, end, expected, 0, expected.length);
  }

  private static @Nullable Object fileKey(Path file) throws IOException {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static boolean isMarked(Heap heap) {
    long root = heap.getRoot();
    if (root == 0) {
      return false;
    }
    try {
      MemoryBlock mark = heap.memoryBlockFromHandle(root);
      return mark.size() >= Long.BYTES && mark.getLong(0) == MARK;
    } catch (HeapException | IllegalArgumentException e) {
      return false; // Not the handle of a block of this kind.
    }
  }

  private static void requireRoom(Path file, long lengthBytes) throws IOException {
    long available = Files.getFileStore(Objects.requireNonNull(file.getParent())).getUsableSpace();
    if (lengthBytes > available) {
      throw noSpace(file, lengthBytes + " bytes asked for, " + available + " available", null);
    }
  }

  /** Makes one line with a remedy of what LLPL says, which is the error text of libpmemobj. */
  static IOException explain(String action, Path file, HeapException failure) {
    String reason = String.valueOf(failure.getMessage());
    if (reason.contains("Permission denied")) {
      return denied(action, file, failure);
    }
    if (reason.contains("No space left")
        || reason.contains("Disk quota exceeded")
        || reason.contains("File too large")) {
      return noSpace(file, reason, failure);
    }
    if (reason.contains("Resource temporarily unavailable") || reason.contains("exists")) {
      return held(file, failure);
    }
    return action.equals("open")
        ? notOurs(file, reason, failure)
        : new IOException("can't create a heap in " + file + ": " + reason, failure);
  }

  static IOException denied(String action, Path file, Throwable cause) {
    return new IOException(
        "can't "
            + action
            + " "
            + file
            + ": permission denied; let this user read and write it and its directory",
        cause);
  }

  private static IOException held(Path file, @Nullable Throwable cause) {
    return new IOException(
        "can't use "
            + file
            + ": it is held by another cache or process; give each cache its own file",
        cause);
  }

  private static IOException notOurs(Path file, String reason, @Nullable Throwable cause) {
    return new IOException(
        "can't use "
            + file
            + ": it is not the heap of a cache ("
            + reason
            + "); name another path, or delete the file if a process was killed as it made the"
            + " heap",
        cause);
  }

  private static IOException noSpace(Path file, String reason, @Nullable Throwable cause) {
    return new IOException(
        "no space for " + file + ": " + reason + "; lower the capacity or free some", cause);
  }
}
