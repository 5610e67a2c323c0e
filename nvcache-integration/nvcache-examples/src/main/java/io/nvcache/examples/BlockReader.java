// SPDX-License-Identifier: Apache-2.0
package io.nvcache.examples;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.Source;
import io.nvcache.tiered.BlockLoader;
import io.nvcache.tiered.TieredBlockCache;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Reads blocks of immutable files, such as SSTables, through DRAM and a second tier. */
final class BlockReader implements BlockLoader, AutoCloseable {
  private final Map<Long, Path> files = new ConcurrentHashMap<>();

  /** Gives no reader an id before its file is there. */
  private final FileIdRegistry ids = new FileIdRegistry((name, id) -> files.put(id, Path.of(name)));

  private final ReadWriteLock reads = new ReentrantReadWriteLock();
  private final BlockCache second;
  private final TieredBlockCache cache;

  BlockReader(long dramBytes, BlockCache second) {
    this.second = second;
    this.cache = TieredBlockCache.builder(dramBytes, this).secondTier(second).build();
  }

  /** Takes in a file that is complete: its bytes never change from here on. */
  void open(Path path) throws IOException {
    long lengthBytes = Files.size(path);
    long id = ids.idOf(path.toString()); // A new one, unless the file is open.
    second.control().dataSet().register(id, lengthBytes);
  }

  /** Suggests a block of a file that was just written, while its bytes are at hand. */
  void written(Path path, long offset, ByteBuffer block, Source flushOrCompaction) {
    ids.find(path.toString()).ifPresent(id -> cache.offer(id, offset, block, flushOrCompaction));
  }

  // region read
  /** Gets a block from DRAM, else from the second tier, else from the file. */
  ByteBuffer read(Path path, long offset, int length, Source source) throws IOException {
    reads.readLock().lock();
    try {
      return cache.get(ids.find(path.toString()).orElseThrow(), offset, length, source);
    } finally {
      reads.readLock().unlock();
    }
  }

  @Override // For a block that no tier has: fills the very buffer that the DRAM tier keeps.
  public ByteBuffer load(long id, long offset, ByteBuffer room) throws IOException {
    byte[] bytes = new byte[room.remaining()];
    // Not by a FileChannel: the interrupt of one reader closes it for all who share the file.
    try (RandomAccessFile file =
        new RandomAccessFile(Objects.requireNonNull(files.get(id)).toFile(), "r")) {
      file.seek(offset);
      file.readFully(bytes); // Or an EOFException, if the file is too short.
    }
    return room.put(bytes).flip();
  }

  // endregion read

  @Override
  public ByteBuffer load(long id, long offset) {
    throw new UnsupportedOperationException("read() knows the length");
  }

  // region delete
  /** Deletes a file: first its name goes, then its blocks, then its bytes. */
  void delete(Path path) throws IOException {
    reads.writeLock().lock(); // Lets readers finish, so that none brings a block back later.
    try {
      long id = ids.retire(path.toString()).orElseThrow();
      cache.invalidateFile(id); // In constant time; leaves the data set as well.
      files.remove(id);
    } finally {
      reads.writeLock().unlock();
    }
    Files.delete(path);
  }

  // endregion delete

  @Override
  public void close() {
    cache.close(); // And the second tier with it.
  }
}
