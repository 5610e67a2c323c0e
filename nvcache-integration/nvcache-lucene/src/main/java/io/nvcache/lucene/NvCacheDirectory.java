// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import java.io.IOException;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FilterDirectory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.util.IOUtils;

/**
 * A directory that reads the files of another one by blocks of a {@link LuceneCache}. What it
 * returns are the delegate's bytes, and what it throws are the delegate's exceptions: whatever is
 * wrong with the cache or its medium is a miss.
 *
 * <p>A name that is created, renamed to or deleted means another file from then on, with an id of
 * its own; the blocks of the old one are forgotten at once. If somebody else replaces a file
 * beneath, that shows when it is opened next: by its length, or by its footer, where Lucene's
 * codecs keep a checksum.
 *
 * <p>Thread-safe. Closing it closes the delegate and forgets its files, but not the cache.
 */
public class NvCacheDirectory extends FilterDirectory {
  private static final AtomicLong DIRECTORIES = new AtomicLong();

  private final LuceneCache cache;
  private final String prefix = DIRECTORIES.incrementAndGet() + "/";
  private final ConcurrentMap<String, CachedFile> files = new ConcurrentHashMap<>();

  /**
   * Stands before a directory.
   *
   * @param delegate whose files are read through the cache
   * @param cache shared with other directories, and open for as long as they are
   */
  public NvCacheDirectory(Directory delegate, LuceneCache cache) {
    super(delegate);
    this.cache = Objects.requireNonNull(cache, "cache");
  }

  /** The cache that this directory reads through. */
  public final LuceneCache cache() {
    return cache;
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    String className = FileRules.fileClass(name);
    FileClass fileClass = cache.fileClass(className);
    CacheRule rule = cache.rules().rule(className, context);
    IndexInput delegate = super.openInput(name, context);
    if (rule == CacheRule.BYPASS || cache.isClosed()) {
      fileClass.bypassedOpens.increment();
      return delegate;
    }
    try {
      CachedFile file = fileOf(name, delegate, fileClass);
      OpenedFile opened = new OpenedFile(cache, file, delegate);
      return new CachedIndexInput("NvCache(" + delegate + ")", opened, rule, context);
    } catch (Throwable failure) {
      IOUtils.closeWhileSuppressingExceptions(failure, delegate);
      throw failure;
    }
  }

  private CachedFile fileOf(String name, IndexInput delegate, FileClass fileClass)
      throws IOException {
    long lengthBytes = delegate.length();
    byte[] footer = CachedFile.footer(delegate);
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
              long id = cache.ids().idOf(prefix + name);
              cache.blocks().control().dataSet().register(id, lengthBytes);
              return new CachedFile(id, lengthBytes, fileClass, footer);
            }));
  }

  /** Ends the incarnation of a file; called before another one can begin. */
  private void forget(String name, CachedFile file) {
    file.end(); // First, so that no reader offers a block of it afterwards.
    OptionalLong id = cache.ids().retire(prefix + name);
    id.ifPresent(cache.blocks()::invalidateFile);
  }

  private void forget(String name) {
    files.computeIfPresent(
        name,
        (same, known) -> {
          forget(name, known);
          return null;
        });
  }

  @Override
  public IndexOutput createOutput(String name, IOContext context) throws IOException {
    forget(name);
    return super.createOutput(name, context);
  }

  @Override
  public void deleteFile(String name) throws IOException {
    forget(name);
    super.deleteFile(name);
  }

  @Override
  public void rename(String source, String dest) throws IOException {
    forget(source);
    forget(dest);
    super.rename(source, dest);
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      files.keySet().forEach(this::forget);
    }
  }
}
