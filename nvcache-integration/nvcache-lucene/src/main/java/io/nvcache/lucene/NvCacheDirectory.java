// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.FileIdentity;
import io.nvcache.control.CacheControl;
import io.nvcache.control.RestoreReport;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.stream.Stream;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory that reads the files of another one by blocks of a {@link LuceneCache}. What it
 * returns are the delegate's bytes, and what it throws are the delegate's exceptions: whatever is
 * wrong with the cache or its medium is a miss.
 *
 * <p>A name that is created, renamed to or deleted means another file from then on, with an id of
 * its own; the blocks of the old one are forgotten at once. If somebody else replaces a file below,
 * that shows when it is opened next: by its length, or by its footer, where Lucene's codecs keep a
 * checksum.
 *
 * <p>Thread-safe. Closing it closes the delegate and forgets its files, but not the cache.
 */
public class NvCacheDirectory extends FilterDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(NvCacheDirectory.class);
  private static final AtomicLong DIRECTORIES = new AtomicLong();

  /** The extension of Lucene's files of deleted documents, written by commits. */
  private static final String DELETED_DOCUMENTS = ".liv";

  /** A power of two. */
  private static final int LOCKS = 64;

  private final LuceneCache cache;
  private final String prefix = DIRECTORIES.incrementAndGet() + "/";
  private final ConcurrentMap<String, CachedFile> files = new ConcurrentHashMap<>();

  /**
   * By names. A name is opened under the read lock and means another file only under the write
   * lock: or what was opened before could be taken for what the name means afterwards.
   */
  private final ReadWriteLock[] locks =
      Stream.generate(ReentrantReadWriteLock::new).limit(LOCKS).toArray(ReadWriteLock[]::new);

  /**
   * Files that this directory made and that may be copies, until they are opened. Blocks of their
   * identity belong to an earlier file, of which all that the identity names was the same: such as
   * one whose bytes were damaged in between, which this one replaces.
   */
  private final Set<String> made = ConcurrentHashMap.newKeySet();

  /** Set before this is closed. */
  private volatile boolean deleted;

  /** Of files that a merge wrote, until they are opened. */
  private final ConcurrentMap<String, HotBlocks> hotBlocks = new ConcurrentHashMap<>();

  /**
   * Stands before a directory. If that is a folder on the drive of the cache's medium, the cache
   * logs it, and {@link io.nvcache.control.Condition#NO_GAIN} names it if it begins.
   *
   * @param delegate whose files are read through the cache
   * @param cache shared with other directories, and open for as long as they are
   */
  public NvCacheDirectory(Directory delegate, LuceneCache cache) {
    super(delegate);
    this.cache = Objects.requireNonNull(cache, "cache");
    if (FilterDirectory.unwrap(delegate) instanceof FSDirectory folder) {
      cache.blocks().control().addStoreDirectory(folder.getDirectory());
    }
  }

  /** Returns the cache that this directory reads through. */
  public final LuceneCache cache() {
    return cache;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    Lock lock = lockOf(name).readLock();
    lock.lock();
    try {
      return open(name, context);
    } finally {
      lock.unlock();
    }
  }

  private IndexInput open(String name, IOContext context) throws IOException {
    String className = FileRules.fileClass(name);
    FileClass fileClass = cache.fileClass(className);
    CacheRule rule = cache.rules().rule(className, context);
    IndexInput delegate = super.openInput(name, context);
    if (rule == CacheRule.BYPASS || cache.isClosed()) {
      fileClass.bypassedOpens.increment();
      return delegate;
    }
    try {
      CachedFile file = fileOf(name, delegate);
      OpenedFile opened = new OpenedFile(cache, file, fileClass, delegate);
      HotBlocks hotBlocks = rule.compareTo(CacheRule.ONCE) < 0 ? file.takeHotBlocks() : null;
      if (hotBlocks != null) {
        cache.mergedHeat().add(opened, hotBlocks);
      }
      if (FileRules.wantsDisk(context) && !cache.isMerging()) {
        fileClass.bypassedOpens.increment();
      }
      String description = "NvCache(" + delegate + ")";
      return new CachedIndexInput(description, opened, rule, context);
    } catch (Throwable failure) {
      try {
        delegate.close();
      } catch (IOException | RuntimeException second) {
        failure.addSuppressed(second);
      }
      throw failure;
    }
  }

  private CachedFile fileOf(String name, IndexInput delegate) throws IOException {
    long lengthBytes = delegate.length();
    DescribedInput described = delegate instanceof DescribedInput input ? input : null;
    byte[] footer = described != null ? described.footer() : CachedFile.footer(delegate);
    FileIdentity identity =
        !cache.restartsWarm()
            ? null
            : described != null
                ? described.identity()
                : SegmentFileIdentity.of(name, delegate, footer, cache.blockBytes()).orElse(null);
    return Objects.requireNonNull(
        files.compute(
            name,
            (same, known) -> {
              if (known != null && known.is(lengthBytes, footer)) {
                return known;
              }
              if (known != null) {
                forget(name, known);
              }
              return firstOpened(name, lengthBytes, footer, identity);
            }));
  }

  /**
   * Names the bytes of a file that is open, or was, and had no identity then: one that was written
   * here and has an object's name by now. What is cached of it and what will be is found again by
   * that name. Does nothing if the file was never opened, or has an identity.
   */
  protected final void identify(String name, FileIdentity identity) {
    if (!cache.restartsWarm() || cache.isClosed()) {
      return;
    }
    files.computeIfPresent(
        name,
        (same, known) -> {
          if (known.identity() == null && cache.takeIdentity(identity, name)) {
            known.identify(
                identity); // First: whatever happens then, the end of the file gives it back.
            cache.blocks().identify(known.id, identity);
          }
          return known;
        });
  }

  private CachedFile firstOpened(
      String name, long lengthBytes, byte[] footer, @Nullable FileIdentity identity) {
    boolean isNew = made.contains(name);
    FileIdentity own = identity != null && cache.takeIdentity(identity, name) ? identity : null;
    if (isNew && identity != null && own == null) {
      cache.distrust(identity); // The one that has it may have read a damaged file.
    }
    CachedFile file = null;
    try {
      if (own != null && (isNew || cache.isDistrusted(own))) {
        dropEarlier(name, own);
      }
      long id = identify(name, lengthBytes, own);
      file = new CachedFile(id, lengthBytes, footer, own, hotBlocks.remove(name));
      made.remove(name); // Last: a failure leaves it to the next opening.
      return file;
    } finally {
      if (file == null && own != null) {
        cache.giveIdentityBack(own);
      }
    }
  }

  /** Returns the id of a file that is opened first, and which has the blocks of its identity. */
  private long identify(String name, long lengthBytes, @Nullable FileIdentity identity) {
    long id = cache.ids().idOf(prefix + name);
    if (identity != null) {
      cache.blocks().identify(id, identity);
    }
    cache.blocks().control().dataSet().register(id, lengthBytes);
    return id;
  }

  /**
   * Drops the blocks that the identity of a file finds which was just put under its name: they are
   * an earlier file's. If that fails, the first opening does it.
   */
  private void revokeEarlier(String name) {
    made.add(name);
    if (!cache.restartsWarm() || cache.isClosed()) {
      return; // Nothing is found by identities.
    }
    try (IndexInput file = in.openInput(name, IOContext.READONCE)) {
      SegmentFileIdentity.of(name, file, CachedFile.footer(file), cache.blockBytes())
          .ifPresent(identity -> revokeEarlier(name, identity));
      made.remove(name);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not look for blocks of what {} was", name, e);
    }
  }

  private void revokeEarlier(String name, FileIdentity identity) {
    if (!cache.takeIdentity(identity, name)) {
      cache.distrust(identity); // For the directory that has it, when it is closed.
      return;
    }
    try {
      dropEarlier(name, identity);
    } finally {
      cache.giveIdentityBack(identity);
    }
  }

  /** Drops the blocks that an identity finds, which the caller has taken. */
  private void dropEarlier(String name, FileIdentity identity) {
    cache.ids().retire(prefix + name); // What a failure may have left.
    long id = cache.ids().idOf(prefix + name);
    cache.blocks().identify(id, identity);
    cache.ids().retire(prefix + name);
    if (cache.isDistrusted(identity) || mayHaveBlocks(id)) {
      revoke(id);
    } else {
      cache.blocks().invalidateFile(id);
    }
    cache.trust(identity);
  }

  /**
   * Drops a file's blocks, and has no later process restore them: the call for a file alone does
   * not. A medium keeps few such files apart, so this is not for each that is deleted.
   */
  private void revoke(long id) {
    cache.blocks().invalidate(id, 0);
    cache.blocks().invalidateFile(id);
  }

  private boolean mayHaveBlocks(long id) {
    CacheControl control = cache.blocks().control();
    return control.restore().state() == RestoreReport.State.RESTORING
        || control.countBlocks(id) > 0;
  }

  /** Ends the incarnation of a file; called before another one can begin. */
  private void forget(String name, CachedFile file) {
    file.end(); // First, so that no reader offers a block of it afterwards.
    OptionalLong id = cache.ids().retire(prefix + name);
    id.ifPresent(cache.blocks()::invalidateFile);
    FileIdentity identity = file.identity();
    if (identity != null) {
      cache.distrust(identity); // Its blocks on the medium are there for a later process.
    }
    giveIdentityBack(file);
  }

  private void giveIdentityBack(CachedFile file) {
    FileIdentity identity = file.identity();
    if (identity != null) {
      cache.giveIdentityBack(identity);
    }
  }

  private void forget(String name) {
    hotBlocks.remove(name);
    files.computeIfPresent(
        name,
        (same, known) -> {
          forget(name, known);
          return null;
        });
  }

  private static int lockNumber(String name) {
    return name.hashCode() & LOCKS - 1;
  }

  private ReadWriteLock lockOf(String name) {
    return locks[lockNumber(name)];
  }

  /** What the delegate does to a file. */
  @FunctionalInterface
  private interface Change<T> {
    T make() throws IOException;
  }

  /** Changes what a name means while no other thread opens it, and forgets what it meant. */
  private <T> T change(String name, Change<T> change) throws IOException {
    Lock lock = lockOf(name).writeLock();
    lock.lock();
    try {
      forget(name);
      return change.make();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    return change(
        name,
        () -> {
          IndexOutput output = hotNoting(super.createOutput(name, context), context);
          if (mayBeCopy(name, context)) {
            made.add(name);
          }
          return output;
        });
  }

  /** What Lucene writes itself has its own identity; what else is written may be a copy. */
  private static boolean mayBeCopy(String name, IOContext context) {
    return context.context() != IOContext.Context.FLUSH
        && context.context() != IOContext.Context.MERGE
        && !name.startsWith(IndexFileNames.PENDING_SEGMENTS)
        && !name.endsWith(DELETED_DOCUMENTS);
  }

  /** Copies a file; what Lucene has just written to memory is no copy of an earlier file. */
  @Override
  public void copyFrom(Directory from, String source, String dest, IOContext context)
      throws IOException {
    super.copyFrom(from, source, dest, context);
    Lock lock = lockOf(dest).writeLock();
    lock.lock();
    try {
      if (FilterDirectory.unwrap(from) instanceof ByteBuffersDirectory) {
        made.remove(dest);
      } else {
        revokeEarlier(dest);
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public IndexOutput createTempOutput(String start, String suffix, IOContext context)
      throws IOException {
    IndexOutput output = super.createTempOutput(start, suffix, context);
    // The delegate chose the name, and may have had another file by it.
    return change(
        output.getName(),
        () -> {
          made.add(output.getName());
          return output;
        });
  }

  private IndexOutput hotNoting(IndexOutput output, IOContext context) {
    return context.context() == IOContext.Context.MERGE && !cache.isClosed()
        ? new MergeOutput(output, cache, hot -> hotBlocks.put(output.getName(), hot))
        : output;
  }

  @Override
  public void deleteFile(String name) throws IOException {
    change(
        name,
        () -> {
          super.deleteFile(name);
          made.remove(name);
          return name;
        });
    cache.mergedHeat().begin();
  }

  /**
   * Lists the delegate's files, and forgets those that somebody else has deleted: where another
   * host writes the index, each refresh of a reader comes by here.
   */
  @Override
  public String[] listAll() throws IOException {
    String[] listed = super.listAll();
    Set<String> there = new HashSet<>(Arrays.asList(listed));
    for (String name : files.keySet()) {
      if (!there.contains(name)) {
        forgetIfGone(name);
      }
    }
    return listed;
  }

  /** It may have been made since the files were listed. */
  private void forgetIfGone(String name) {
    Lock lock = lockOf(name).writeLock();
    lock.lock();
    try {
      super.fileLength(name);
    } catch (FileNotFoundException | NoSuchFileException gone) {
      forget(name);
    } catch (IOException unknown) {
      // Whoever opens it gets to see that.
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    // In one order on all threads, so that none waits for another that waits for it.
    boolean sourceFirst = lockNumber(source) <= lockNumber(dest);
    String first = sourceFirst ? source : dest;
    String second = sourceFirst ? dest : source;
    change(
        first,
        () ->
            change(
                second,
                () -> {
                  super.rename(source, dest);
                  made.remove(source);
                  if (source.startsWith(IndexFileNames.PENDING_SEGMENTS)) {
                    made.remove(dest);
                  } else {
                    revokeEarlier(dest);
                  }
                  return dest;
                }));
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      for (ReadWriteLock lock : locks) { // Wait for those that are opening a file.
        lock.writeLock().lock();
        lock.writeLock().unlock();
      }
      files.keySet().forEach(cache.restartsWarm() && !deleted ? this::leave : this::forget);
    }
  }

  /** Has {@link #close} drop what is cached, as of an index that is deleted with all its files. */
  protected final void deleted() {
    deleted = true;
  }

  /** Leaves the blocks of a file to who opens it next, in this process or another. */
  private void leave(String name) {
    hotBlocks.remove(name);
    files.computeIfPresent(
        name,
        (same, known) -> {
          FileIdentity identity = known.identity();
          if (identity != null && !cache.isDistrusted(identity)) {
            known.leave();
            cache.blocks().control().dataSet().unregister(known.id);
            cache.ids().retire(prefix + name);
            giveIdentityBack(known);
          } else {
            // No later opening could find its blocks, or none may.
            if (identity != null) {
              cache.blocks().invalidate(known.id, 0);
            }
            forget(name, known);
          }
          return null;
        });
  }
}
