// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.BlockRank;
import io.nvcache.FileView;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Set;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/** What one opening of a file and all clones and slices of its input share. Thread-safe. */
final class OpenedFile {
  private static final int MANY_IN_VAIN = 256;

  /** Of metadata, which has no more. */
  private static final int SMALL_BLOCKS = 4;

  final LuceneCache cache;
  final CachedFile file;
  final FileClass fileClass;

  /** Never read by, only cloned: the clones are for one thread each. */
  private final IndexInput delegate;

  private final Set<CachedFile> itself;
  private volatile boolean closed;
  private volatile @Nullable FileView view;

  /** Where important parts begin and end, one after the other. Never changed, but replaced. */
  private volatile long[] important = {};

  /** Until it is known that blocks can't be read in place. */
  private volatile boolean mayHaveView = true;

  /** A hint, and so a plain field: see {@link #isPrefetchDue}. */
  private int prefetchesInVain;

  OpenedFile(LuceneCache cache, CachedFile file, FileClass fileClass, IndexInput delegate) {
    this.cache = cache;
    this.file = file;
    this.itself = Set.of(file);
    this.fileClass = fileClass;
    this.delegate = delegate;
    if (delegate instanceof DescribedInput) {
      endsAreImportant();
    }
  }

  /** An index that is opened reads header and footer of each object, each by a request. */
  private void endsAreImportant() {
    important(0, Math.min(1, file.lengthBytes));
    important(Math.max(0, file.lengthBytes - CachedFile.FOOTER_BYTES), file.lengthBytes);
  }

  /** Returns whether a part is a few blocks at most of what {@link DescribedInput} describes. */
  boolean isSmallOfAnObject(long partBytes) {
    return delegate instanceof DescribedInput
        && partBytes <= (long) SMALL_BLOCKS * cache.blockBytes();
  }

  /** Returns whether a slice is a whole file, as in a compound file. */
  boolean isFile(@Nullable String name) {
    return name != null
        && fileClass.name.equals(FileRules.COMPOUND)
        && IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches();
  }

  /** Returns the class of such a slice. */
  FileClass classOfPart(String name) {
    return cache.fileClass(FileRules.fileClass(name));
  }

  /** Returns what the inputs read blocks in place by; null if they can't be. */
  @Nullable FileView view() {
    FileView known = view;
    return known == null && mayHaveView ? firstView() : known;
  }

  private synchronized @Nullable FileView firstView() {
    if (view == null && mayHaveView && !closed) {
      view = cache.blocks().view(file.id, cache.blockBytes(), file.lengthBytes);
      mayHaveView = view != null;
    }
    return view;
  }

  private synchronized void closeView() {
    mayHaveView = false;
    if (view != null) {
      view.close();
      view = null;
    }
  }

  /** Returns the rule for reads of the file, or of a part of another class. */
  CacheRule rule(FileClass part, IOContext context) {
    FileRules rules = cache.rules();
    CacheRule rule = rules.rule(part.name, context);
    return part == fileClass
        ? rule
        : FileRules.stricter(rule, rules.ruleForParts(fileClass.name, context));
  }

  IndexInput cloneDelegate() {
    return delegate.clone();
  }

  IndexInput delegate() {
    return delegate;
  }

  int blockLength(long offset) {
    return (int) Math.min(cache.blockBytes(), file.lengthBytes - offset);
  }

  /** Copies a block to the beginning of a buffer, without a lookup; false if it is not cached. */
  boolean peek(long offset, ByteBuffer room) {
    room.clear();
    int length = cache.blocks().control().peek(file.id, offset, room);
    room.flip();
    return length == blockLength(offset);
  }

  /** Looks a block up, and copies it to the beginning of a buffer; false if it is not cached. */
  boolean get(long offset, ByteBuffer room) {
    return cache.blocks().get(file.id, offset, room.clear()) == blockLength(offset);
  }

  /** Offers a block, unless the file was deleted. */
  @Nullable OfferResult offer(long offset, ByteBuffer block, Source source) {
    if (file.isGone()) {
      return null;
    }
    OfferResult result =
        isImportant(offset)
            ? offerImportant(offset, block, source)
            : cache.blocks().offer(file.id, offset, block.duplicate(), source);
    // Deleted during the offer, or before it: the block must not stay. Those of a file that was
    // left may, and to invalidate one would take them all from later caches.
    if (file.isForgotten()) {
      cache.blocks().invalidate(file.id, offset);
    }
    return result;
  }

  private OfferResult offerImportant(long offset, ByteBuffer block, Source source) {
    return cache
        .blocks()
        .offer(file.id, offset, block.remaining(), block::duplicate, source, BlockRank.IMPORTANT);
  }

  /** Notes that the bytes of a part, or of all of the file, are important. */
  synchronized void important(long start, long end) {
    long[] known = important;
    if (!isImportant(start, end)) {
      long[] more = Arrays.copyOf(known, known.length + 2);
      more[known.length] = start;
      more[known.length + 1] = end;
      important = more;
    }
  }

  /** Returns whether any of a block's bytes is important. */
  private boolean isImportant(long offset) {
    long[] known = important;
    long end = offset + cache.blockBytes();
    for (int i = 0; i < known.length; i += 2) {
      if (offset < known[i + 1] && end > known[i]) {
        return true;
      }
    }
    return false;
  }

  private boolean isImportant(long start, long end) {
    long[] known = important;
    for (int i = 0; i < known.length; i += 2) {
      if (start >= known[i] && end <= known[i + 1]) {
        return true;
      }
    }
    return false;
  }

  /** Notes what was read of a block, which the calling thread may merge. */
  void noteRead(FileClass fileClass, long offset, int bytes, boolean cached) {
    MergeOutputs outputs = cache.mergeOutputs();
    if (outputs.isAnyOpen()) {
      int block = (int) (offset / cache.blockBytes());
      outputs.noteRead(fileClass.name, bytes, cached ? itself : file.inputsOf(block));
    }
  }

  /** Whether all of the file is cached. */
  boolean isCached() {
    long blocks = (file.lengthBytes + cache.blockBytes() - 1) / cache.blockBytes();
    return blocks > 0 && !file.isGone() && cache.blocks().control().countBlocks(file.id) >= blocks;
  }

  /**
   * Whether to look what a prefetch would have to load. Once all was cached for long, the less
   * often the longer: as Lucene's own MMapDirectory does, which pays more for the look and so is
   * sooner content.
   */
  boolean isPrefetchDue() {
    int inVain = prefetchesInVain;
    prefetchesInVain = inVain + 1;
    return inVain < MANY_IN_VAIN || (inVain & (inVain - 1)) == 0;
  }

  /** A block was missing: prefetches are worth a look again. */
  void noteMissing() {
    prefetchesInVain = 0;
  }

  boolean isClosed() {
    return closed || cache.isClosed();
  }

  void ensureOpen(IndexInput input) {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + input);
    }
  }

  void close() throws IOException {
    if (!closed) {
      closed = true; // Before the release: an input that is in its place looks here as it leaves.
      cache.places().release(this);
      closeView();
      cache.cachedAhead().forget(this);
      HotBlocks notLoaded = cache.mergedHeat().remove(this);
      if (notLoaded != null) {
        file.giveBack(notLoaded);
      }
      delegate.close();
    }
  }
}
