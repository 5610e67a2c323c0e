// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.files;

import io.nvcache.BlockRank;
import io.nvcache.FileView;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.lucene.CacheRule;
import io.nvcache.lucene.DescribedInput;
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
public final class OpenedFile {
  private static final int MANY_IN_VAIN = 256;

  private final FileBlocks blocks;
  private final CachedFile file;
  private final FileClass fileClass;

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

  /**
   * Begins with a file that was just opened.
   *
   * @param delegate closed with this
   */
  public OpenedFile(FileBlocks blocks, CachedFile file, FileClass fileClass, IndexInput delegate) {
    this.blocks = blocks;
    this.file = file;
    this.itself = Set.of(file);
    this.fileClass = fileClass;
    this.delegate = delegate;
    if (delegate instanceof DescribedInput) {
      endsAreImportant();
    }
  }

  public CachedFile file() {
    return file;
  }

  public FileClass fileClass() {
    return fileClass;
  }

  public long id() {
    return file.id();
  }

  public long lengthBytes() {
    return file.lengthBytes();
  }

  /** Returns the bytes of a block; the last one may have fewer. */
  public int blockBytes() {
    return blocks.blockBytes();
  }

  /** An index that is opened reads header and footer of each object, each by a request. */
  private void endsAreImportant() {
    important(0, Math.min(1, file.lengthBytes()));
    important(Math.max(0, file.lengthBytes() - DescribedInput.FOOTER_BYTES), file.lengthBytes());
  }

  /** Returns whether a part is a few blocks at most of what {@link DescribedInput} describes. */
  public boolean isSmallOfAnObject(long partBytes) {
    return delegate instanceof DescribedInput
        && partBytes <= (long) DescribedInput.SMALL_BLOCKS * blocks.blockBytes();
  }

  /** Returns whether a slice is a whole file, as in a compound file. */
  public boolean isFile(@Nullable String name) {
    return name != null
        && fileClass.name().equals(FileClasses.COMPOUND)
        && IndexFileNames.CODEC_FILE_PATTERN.matcher(name).matches();
  }

  /** Returns the class of such a slice. */
  public FileClass classOfPart(String name) {
    return fileClass.ofPart(name);
  }

  /** Returns what the inputs read blocks in place by; null if they can't be. */
  public @Nullable FileView view() {
    FileView known = view;
    return known == null && mayHaveView ? firstView() : known;
  }

  private synchronized @Nullable FileView firstView() {
    if (view == null && mayHaveView && !closed) {
      view = blocks.cache().view(file.id(), blocks.blockBytes(), file.lengthBytes());
      mayHaveView = view != null;
    }
    return view;
  }

  /** Returns the rule for reads of the file, or of a part of another class. */
  public CacheRule rule(FileClass part, IOContext context) {
    CacheRule rule = part.rule(context);
    return part == fileClass ? rule : ReadTerms.stricter(rule, fileClass.ruleOfParts(context));
  }

  public IndexInput cloneDelegate() {
    return delegate.clone();
  }

  public IndexInput delegate() {
    return delegate;
  }

  public int blockLength(long offset) {
    return (int) Math.min(blocks.blockBytes(), file.lengthBytes() - offset);
  }

  /** Copies a block to the beginning of a buffer, without a lookup; false if it is not cached. */
  public boolean peek(long offset, ByteBuffer room) {
    room.clear();
    int length = blocks.cache().control().peek(file.id(), offset, room);
    room.flip();
    return length == blockLength(offset);
  }

  /** Looks a block up, and copies it to the beginning of a buffer; false if it is not cached. */
  public boolean get(long offset, ByteBuffer room) {
    return blocks.cache().get(file.id(), offset, room.clear()) == blockLength(offset);
  }

  /** Offers a block, unless the file was deleted. */
  public @Nullable OfferResult offer(long offset, ByteBuffer block, Source source) {
    if (file.isGone()) {
      return null;
    }
    OfferResult result =
        isImportant(offset)
            ? offerImportant(offset, block, source)
            : blocks.cache().offer(file.id(), offset, block.duplicate(), source);
    // Deleted during the offer, or before it: the block must not stay. Those of a file that was
    // left may, and to invalidate one would take them all from later caches.
    if (file.isForgotten()) {
      blocks.cache().invalidate(file.id(), offset);
    }
    return result;
  }

  private OfferResult offerImportant(long offset, ByteBuffer block, Source source) {
    return blocks
        .cache()
        .offer(file.id(), offset, block.remaining(), block::duplicate, source, BlockRank.IMPORTANT);
  }

  /** Notes that the bytes of a part, or of all of the file, are important. */
  public synchronized void important(long start, long end) {
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
    long end = offset + blocks.blockBytes();
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

  /** Returns this file as a set, for who merges what is cached of it. */
  public Set<CachedFile> itself() {
    return itself;
  }

  /**
   * Returns the files in whose place searches want a block, if a merge wrote it from cached ones.
   */
  public Set<CachedFile> inputsOf(long offset) {
    return file.inputsOf((int) (offset / blocks.blockBytes()));
  }

  /** Returns whether a block is cached, without a lookup. */
  public boolean isCached(long offset) {
    return blocks.cache().control().isCached(file.id(), offset);
  }

  /** Returns whether all of the file is cached. */
  public boolean isAllCached() {
    long all = (file.lengthBytes() + blocks.blockBytes() - 1) / blocks.blockBytes();
    return all > 0 && !file.isGone() && blocks.cache().control().countBlocks(file.id()) >= all;
  }

  /**
   * Whether to look what a prefetch would have to load. Once all was cached for long, the less
   * often the longer: as Lucene's own MMapDirectory does, which pays more for the look and so is
   * sooner content.
   */
  public boolean isPrefetchDue() {
    int inVain = prefetchesInVain;
    prefetchesInVain = inVain + 1;
    return inVain < MANY_IN_VAIN || (inVain & (inVain - 1)) == 0;
  }

  /** A block was missing: prefetches are worth a look again. */
  public void noteMissing() {
    prefetchesInVain = 0;
  }

  public boolean isClosed() {
    return closed || blocks.isClosed();
  }

  public boolean isCacheClosed() {
    return blocks.isClosed();
  }

  public void ensureOpen(IndexInput input) {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + input);
    }
  }

  /** Has all who ask see that this is about to be closed; false if it was seen before. */
  public boolean end() {
    boolean first = !closed;
    closed = true;
    return first;
  }

  /** Gives back what this holds itself, and closes the delegate. */
  public void close() throws IOException {
    closed = true;
    closeView();
    delegate.close();
  }

  private synchronized void closeView() {
    mayHaveView = false;
    if (view != null) {
      view.close();
      view = null;
    }
  }
}
