// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.BlockCache;
import io.nvcache.FileIdRegistry;
import io.nvcache.FileIdentity;
import io.nvcache.control.RestoreReport;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link BlockCache} as Lucene's directories use it: one for all directories of a process, such
 * as the shards of a node. Thread-safe.
 *
 * <p>Closing it closes the block cache. Directories that are open then continue without it: they
 * read their delegates.
 */
public final class LuceneCache implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LuceneCache.class);
  private static final int MOST_DISTRUSTED = 4096;

  private final BlockCache blocks;
  private final FileIdRegistry ids;
  private final FileRules rules;
  private final CurrentBlocks places;
  private final DelegateReads reads;
  private final CachedAhead cachedAhead;
  private final MergedHeat mergedHeat;
  private final MergeOutputs mergeOutputs = new MergeOutputs();
  private final int blockBytes;
  private final long readAheadBytes;
  private final ConcurrentMap<String, FileClass> classes = new ConcurrentHashMap<>();
  private final List<Consumer<FileClass>> classListeners = new CopyOnWriteArrayList<>();

  /** Of files that a directory has opened: the blocks of an identity are one file's at a time. */
  private final Set<FileIdentity> identities = ConcurrentHashMap.newKeySet();

  /**
   * Identities by which blocks may be found that are of another file: of files that were forgotten,
   * and of those that another directory has made again. The last ones.
   */
  private final Map<FileIdentity, Boolean> distrusted =
      Collections.synchronizedMap(
          new LinkedHashMap<>(16, 0.75f, true) { // To put one again refreshes it.
            @Override
            protected boolean removeEldestEntry(Map.Entry<FileIdentity, Boolean> eldest) {
              return size() > MOST_DISTRUSTED;
            }
          });

  private final AtomicBoolean warned = new AtomicBoolean();
  private volatile boolean closed;

  LuceneCache(LuceneCacheBuilder options) {
    blocks = options.blocks;
    ids = options.ids;
    rules = new FileRules(options.rules, options.hintRules);
    blockBytes = options.blockBytes;
    readAheadBytes = options.readAheadBytes;
    places = new CurrentBlocks(blocks, options.places());
    reads = new DelegateReads(options.maxReadAheadBlocks(), options.prefetchThreads);
    cachedAhead = new CachedAhead(blocks);
    mergedHeat = new MergedHeat(reads);
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
    return blockBytes;
  }

  /**
   * Returns a snapshot of what became of block reads, by the extension of the file in lower case;
   * files without one are under {@code none}.
   */
  public Map<String, FileClassCounts> countsByExtension() {
    Map<String, FileClassCounts> counts = new TreeMap<>();
    classes.forEach((name, fileClass) -> counts.put(name, fileClass.counts()));
    return counts;
  }

  /** Returns a snapshot of what was asked of the delegates. */
  public DelegateCounts delegateCounts() {
    return new DelegateCounts(
        reads.requests(),
        reads.requestedBlocks(),
        reads.joined(),
        reads.prefetchedBlocks(),
        mergedHeat.carried(),
        reads.aheadFailures(),
        reads.aheadDropped());
  }

  FileIdRegistry ids() {
    return ids;
  }

  /** Whether blocks may be found again by another process. */
  boolean restartsWarm() {
    return blocks.control().restore().state() != RestoreReport.State.OFF;
  }

  /**
   * Takes the blocks of an identity for one file, or returns false: another directory over the same
   * folder has them, and would lose them.
   */
  boolean takeIdentity(FileIdentity identity, String fileName) {
    boolean taken = identities.add(identity);
    if (!taken && !warned.getAndSet(true)) {
      LOG.warn(
          "{} is open in two directories; the blocks of the second are not found again after a"
              + " restart. Have one directory for an index, and close one that is not used any"
              + " more. This is logged once.",
          fileName);
    }
    return taken;
  }

  /** Blocks of this identity may be of another file. */
  void distrust(FileIdentity identity) {
    distrusted.put(identity, true);
  }

  boolean isDistrusted(FileIdentity identity) {
    return distrusted.containsKey(identity);
  }

  /** Nothing is left of another file by this identity. */
  void trust(FileIdentity identity) {
    distrusted.remove(identity);
  }

  void giveIdentityBack(FileIdentity identity) {
    identities.remove(identity);
  }

  FileRules rules() {
    return rules;
  }

  CurrentBlocks places() {
    return places;
  }

  DelegateReads reads() {
    return reads;
  }

  CachedAhead cachedAhead() {
    return cachedAhead;
  }

  MergedHeat mergedHeat() {
    return mergedHeat;
  }

  MergeOutputs mergeOutputs() {
    return mergeOutputs;
  }

  /** Whether the calling thread merges segments. */
  boolean isMerging() {
    return mergeOutputs.isMerging();
  }

  long readAheadBytes() {
    return readAheadBytes;
  }

  FileClass fileClass(String name) {
    FileClass known = classes.get(name);
    if (known != null) {
      return known;
    }
    FileClass fresh = classes.computeIfAbsent(name, FileClass::new);
    classListeners.forEach(listener -> listener.accept(fresh));
    return fresh;
  }

  /** Has a listener see all classes there are and all to come; some perhaps twice. */
  void eachFileClass(Consumer<FileClass> listener) {
    classListeners.add(listener);
    classes.values().forEach(listener);
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true; // Before the release, as in OpenedFile.
    reads.close();
    cachedAhead.close();
    places.releaseAll();
    blocks.close();
  }
}
