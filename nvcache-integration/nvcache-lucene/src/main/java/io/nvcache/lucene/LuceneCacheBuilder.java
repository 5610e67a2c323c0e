// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.lucene.files.FileClasses;
import io.nvcache.lucene.loads.DelegateReads;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IOContext.FileOpenHint;
import org.jspecify.annotations.Nullable;

/** Configures a {@link LuceneCache}. Not thread-safe. */
public final class LuceneCacheBuilder {
  /** Bytes of a block unless told otherwise. */
  public static final int DEFAULT_BLOCK_BYTES = 16 << 10;

  private static final int MIN_BLOCK_BYTES = 1 << 10;
  private static final int MAX_BLOCK_BYTES = 1 << 20;
  private static final int MIN_PLACES = 16;
  private static final int MAX_PLACES = 1024;
  private static final int MAX_THREADS = 256;
  private static final long DEFAULT_READ_AHEAD_BYTES = 128 << 10;

  /** The inputs' current blocks may hold one byte in this many of those that pins may hold. */
  private static final int SHARE_OF_PINS = 2;

  /** Reads ahead that have room to wait for their readers at the same time. */
  private static final int WAITING_RUNS = 8;

  final BlockCache blocks;
  final Map<String, CacheRule> rules = new HashMap<>();
  final Map<FileOpenHint, CacheRule> hintRules = new HashMap<>();
  FileIdRegistry ids = new FileIdRegistry();
  int blockBytes = DEFAULT_BLOCK_BYTES;
  int prefetchThreads = 4;
  @Nullable String beanName;
  long readAheadBytes = DEFAULT_READ_AHEAD_BYTES;

  LuceneCacheBuilder(BlockCache blocks) {
    this.blocks = blocks;
    rules.put(FileClasses.TEMPORARY, CacheRule.BYPASS); // Or blocks of no use to searches come in.
  }

  /**
   * Sets the bytes of a block. The block cache must take blocks of this length ({@link
   * io.nvcache.BlockCacheBuilder#maxBlockBytes}), or nothing is ever cached.
   *
   * @param bytes a power of two from 1 KiB to 1 MiB; {@value #DEFAULT_BLOCK_BYTES} unless set
   * @throws IllegalArgumentException if it is another number
   */
  public LuceneCacheBuilder blockBytes(int bytes) {
    blockBytes = checkBlockBytes(bytes);
    return this;
  }

  /** Returns what blocks may have. */
  static int checkBlockBytes(int bytes) {
    if (bytes < MIN_BLOCK_BYTES || bytes > MAX_BLOCK_BYTES || Integer.bitCount(bytes) != 1) {
      throw new IllegalArgumentException(
          "blocks of "
              + bytes
              + " bytes; give a power of two from "
              + MIN_BLOCK_BYTES
              + " to "
              + MAX_BLOCK_BYTES);
    }
    return bytes;
  }

  /** For tests, which reach the ends of blocks the sooner the shorter these are. */
  LuceneCacheBuilder anyBlockBytes(int bytes) {
    blockBytes = bytes;
    return this;
  }

  /**
   * Sets what the cache does for the files of one extension, also as parts of a compound file,
   * which is {@link CacheRule#CACHE} unless set; for {@code tmp}, the temporary files of flushes
   * and merges, it is {@link CacheRule#BYPASS}. The reads of a merge are {@link CacheRule#ONCE} in
   * any case where they are not past the cache, and a checksum of a whole file goes past it.
   *
   * @param extension such as {@code fdt}, without the dot; {@code none} for files without one
   * @throws IllegalArgumentException if the extension is blank or has a dot
   */
  public LuceneCacheBuilder rule(String extension, CacheRule rule) {
    if (extension.isBlank() || extension.indexOf('.') >= 0) {
      throw new IllegalArgumentException(
          "'" + extension + "' is not an extension; give it without the dot, such as fdt");
    }
    rules.put(extension.toLowerCase(Locale.ROOT), Objects.requireNonNull(rule, "rule"));
    return this;
  }

  /**
   * Sets what the cache does for reads whose {@link IOContext} has a hint, such as {@code
   * FileDataHint.KNN_VECTORS} or {@code DataAccessHint.RANDOM}. Of this rule and the one of the
   * extension the one holds that keeps more from the cache.
   */
  public LuceneCacheBuilder rule(FileOpenHint hint, CacheRule rule) {
    hintRules.put(Objects.requireNonNull(hint, "hint"), Objects.requireNonNull(rule, "rule"));
    return this;
  }

  /**
   * Sets how many threads load what Lucene asks to prefetch; they end when they are idle.
   *
   * @param threads from 0, which turns prefetching off, to 256; 4 unless set
   * @throws IllegalArgumentException if it is another number
   */
  public LuceneCacheBuilder prefetchThreads(int threads) {
    if (threads < 0 || threads > MAX_THREADS) {
      throw new IllegalArgumentException(
          threads + " threads for prefetching; give 0, for none, to " + MAX_THREADS);
    }
    prefetchThreads = threads;
    return this;
  }

  /**
   * Sets how many bytes one request to the delegate brings where a scan misses.
   *
   * @param bytes ≥ 0; 128 KiB unless set; what is below a block turns reading ahead off
   * @throws IllegalArgumentException if it is negative
   */
  public LuceneCacheBuilder readAheadBytes(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes to read ahead; give 0, for none, or more");
    }
    readAheadBytes = Math.min(bytes, Integer.MAX_VALUE);
    return this;
  }

  /**
   * Shows what the cache counts over JMX, as {@link LuceneCacheMXBean}, until it is closed. The
   * block cache has {@linkplain io.nvcache.BlockCacheBuilder#registerMBean its own bean}.
   *
   * @throws IllegalArgumentException if the name is blank
   */
  public LuceneCacheBuilder registerMBean(String name) {
    if (name.isBlank()) {
      throw new IllegalArgumentException(
          "the name of the MBean is '" + name + "', which is blank; give it a letter or a digit");
    }
    beanName = name;
    return this;
  }

  /** Sets where file ids come from: needed where the block cache has other users. */
  public LuceneCacheBuilder fileIds(FileIdRegistry registry) {
    ids = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /** How many blocks the inputs may hold at one time. */
  int places() {
    long fitting = blocks.control().settings().maxPinnedBytes() / SHARE_OF_PINS / blockBytes;
    return (int) Math.max(MIN_PLACES, Math.min(MAX_PLACES, fitting));
  }

  int maxReadAheadBlocks() {
    return WAITING_RUNS * DelegateReads.maxBlocks(blockBytes);
  }

  /**
   * Builds it.
   *
   * @throws IllegalArgumentException if the name of the MBean is taken
   */
  public LuceneCache build() {
    LuceneCache cache = new LuceneCache(this);
    if (beanName != null) {
      blocks.control().addCompanion(LuceneCacheBean.register(cache, beanName));
    }
    return cache;
  }
}
