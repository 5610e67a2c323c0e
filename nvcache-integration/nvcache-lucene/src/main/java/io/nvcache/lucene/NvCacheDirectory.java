// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.FileIdentity;
import io.nvcache.lucene.files.CachedFile;
import io.nvcache.lucene.files.DirectoryFiles;
import io.nvcache.lucene.files.FileClass;
import io.nvcache.lucene.files.OpenedFile;
import io.nvcache.lucene.files.ReadTerms;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
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
import org.apache.lucene.util.IOSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A directory that reads another one's files in blocks of a {@link LuceneCache}. What it returns
 * are the delegate's bytes, and what it throws are the delegate's exceptions: whatever is wrong
 * with the cache or its medium is a miss.
 *
 * <p>A name that is created, renamed to or deleted means another file from then on, with its own
 * id; the blocks of the old one are forgotten at once. If somebody else replaces a file below, that
 * shows when it is opened next: by its length, or by its footer, where Lucene's codecs keep a
 * checksum.
 *
 * <p>Thread-safe. Closing it closes the delegate and forgets its files, but not the cache.
 */
public class NvCacheDirectory extends FilterDirectory {
  /** The extension of Lucene's files of deleted documents, written by commits. */
  private static final String DELETED_DOCUMENTS = ".liv";

  /** A power of two. */
  private static final int LOCKS = 64;

  private final LuceneCache cache;
  private final DirectoryFiles files;

  /**
   * By names. A name is opened under the read lock and means another file only under the write
   * lock, as {@link DirectoryFiles} wants it.
   */
  private final ReadWriteLock[] locks =
      Stream.generate(ReentrantReadWriteLock::new).limit(LOCKS).toArray(ReadWriteLock[]::new);

  /** Set before this is closed. */
  private volatile boolean deleted;

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
    this.files = cache.newFiles();
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
    FileClass fileClass = cache.classes().of(name);
    ReadTerms terms = ReadTerms.of(fileClass.rule(context), context);
    IndexInput delegate = super.openInput(name, context);
    if (terms.rule() == CacheRule.BYPASS || cache.isClosed()) {
      fileClass.bypassedOpens.increment();
      return delegate;
    }
    try {
      CachedFile file = files.open(name, delegate);
      return cache
          .reading()
          .open(new OpenedFile(cache.fileBlocks(), file, fileClass, delegate), terms);
    } catch (Throwable failure) {
      try {
        delegate.close();
      } catch (IOException | RuntimeException second) {
        failure.addSuppressed(second);
      }
      throw failure;
    }
  }

  /**
   * Names the bytes of a file that is open, or was, and had no identity then: one that was written
   * here and has an object's name by now. What is cached of it and what will be is found again by
   * that name. Does nothing if the file was never opened, or has an identity.
   *
   * @param identity returns what the name means, or null; the name means the same until it is told
   */
  protected final void identify(String name, IOSupplier<@Nullable FileIdentity> identity)
      throws IOException {
    Lock lock = lockOf(name).readLock();
    lock.lock();
    try {
      FileIdentity known = identity.get();
      if (known != null) {
        files.identify(name, known);
      }
    } finally {
      lock.unlock();
    }
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
      files.forget(name);
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
            files.made(name);
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
        files.isNoCopy(dest);
      } else {
        files.replaced(dest, in);
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
          files.made(output.getName());
          return output;
        });
  }

  private IndexOutput hotNoting(IndexOutput output, IOContext context) {
    return context.context() == IOContext.Context.MERGE && !cache.isClosed()
        ? cache
            .reading()
            .merges()
            .watch(output, cache.blockBytes(), hot -> files.hot(output.getName(), hot))
        : output;
  }

  @Override
  public void deleteFile(String name) throws IOException {
    change(
        name,
        () -> {
          super.deleteFile(name);
          files.isNoCopy(name);
          return name;
        });
    cache.reading().heat().begin();
  }

  /**
   * Lists the delegate's files, and forgets those that somebody else has deleted: where another
   * host writes the index, each refresh of a reader comes by here.
   */
  @Override
  public String[] listAll() throws IOException {
    String[] listed = super.listAll();
    Set<String> there = new HashSet<>(Arrays.asList(listed));
    for (String name : files.names()) {
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
      files.forget(name);
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
                  files.isNoCopy(source);
                  if (source.startsWith(IndexFileNames.PENDING_SEGMENTS)) {
                    files.isNoCopy(dest);
                  } else {
                    files.replaced(dest, in);
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
      if (deleted) {
        files.forgetAll();
      } else {
        files.leaveAll();
      }
    }
  }

  /** Has {@link #close} drop what is cached, as of an index that is deleted with all its files. */
  protected final void deleted() {
    deleted = true;
  }
}
