// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.lucene.files.DirectoryFiles;
import io.nvcache.lucene.files.FileBlocks;
import io.nvcache.lucene.files.FileClasses;
import io.nvcache.lucene.files.FileIdentities;
import io.nvcache.lucene.loads.DelegateReads;
import io.nvcache.lucene.reading.Reading;
import java.util.Map;
import java.util.Objects;

/**
 * A {@link BlockCache} as Lucene's directories use it: one for all directories of a process, such
 * as the shards of a node. Thread-safe.
 *
 * <p>Closing it closes the block cache. Directories that are open then continue without it: they
 * read their delegates.
 */
public final class LuceneCache implements AutoCloseable {
  private final BlockCache blocks;
  private final FileIdRegistry ids;
  private final FileBlocks fileBlocks;
  private final FileClasses classes;
  private final FileIdentities identities = new FileIdentities();
  private final DelegateReads loads;
  private final Reading reading;

  LuceneCache(LuceneCacheBuilder options) {
    blocks = options.blocks;
    ids = options.ids;
    fileBlocks = new FileBlocks(blocks, options.blockBytes);
    classes = new FileClasses(options.rules, options.hintRules);
    loads = new DelegateReads(options.maxReadAheadBlocks(), options.prefetchThreads);
    reading = new Reading(blocks, options.places(), loads, options.readAheadBytes);
  }

  /**
   * Starts the configuration.
   *
   * @param blocks closed with what is built. No other user of it may give out file ids, unless from
   *     the same {@linkplain LuceneCacheBuilder#fileIds registry}
   */
  public static LuceneCacheBuilder builder(BlockCache blocks) {
    return new LuceneCacheBuilder(Objects.requireNonNull(blocks, "blocks"));
  }

  /** Returns the cache below, with its statistics, settings and meters. */
  public BlockCache blocks() {
    return blocks;
  }

  /** Bytes of a block; the last one of a file may have fewer. */
  public int blockBytes() {
    return fileBlocks.blockBytes();
  }

  /**
   * Returns a snapshot of what became of block reads, by the extension of the file in lower case;
   * files without one are under {@code none}.
   */
  public Map<String, FileClassCounts> countsByExtension() {
    return classes.counts();
  }

  /** Returns a snapshot of what was asked of the delegates. */
  public DelegateCounts delegateCounts() {
    return new DelegateCounts(
        loads.requests(),
        loads.requestedBlocks(),
        loads.joined(),
        loads.prefetchedBlocks(),
        reading.heat().carried(),
        loads.aheadFailures(),
        loads.aheadDropped());
  }

  FileBlocks fileBlocks() {
    return fileBlocks;
  }

  FileClasses classes() {
    return classes;
  }

  /** Makes what a directory over this cache knows of its files. */
  DirectoryFiles newFiles() {
    return new DirectoryFiles(fileBlocks, ids, identities);
  }

  Reading reading() {
    return reading;
  }

  boolean isClosed() {
    return fileBlocks.isClosed();
  }

  @Override
  public void close() {
    fileBlocks.end(); // Before the release, as of a file.
    reading.close();
    blocks.close();
  }
}
