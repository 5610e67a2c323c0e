// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.Source;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import org.apache.lucene.store.AlreadyClosedException;
import org.apache.lucene.store.BufferedIndexInput;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file, or a part of it, by blocks of the cache. Lucene's own buffer lies in front, of one
 * kilobyte and made on the first read; it is filled from the block that is pinned now.
 *
 * <p>As any {@link IndexInput}, for one thread at a time; clones and slices are independent.
 */
final class CachedIndexInput extends BufferedIndexInput {
  /** Blocks in a row after which reads are held to be a scan. */
  private static final int SCAN_BLOCKS = 8;

  private static final long NO_BLOCK = -1;

  private final OpenedFile opened;
  private final FileClass fileClass;
  private final long start;
  private final long end;

  /** Whether this is what the directory gave out, and closes the file. */
  private boolean root;

  /** What the context of the opening said, whatever came later. */
  private CacheRule openedRule;

  private CacheRule rule;
  private Source source;
  private @Nullable CurrentBlock place;
  private long claim;
  private @Nullable IndexInput delegate;

  /** For copies of blocks that are read once. */
  private @Nullable ByteBuffer room;

  private long lastBlock = NO_BLOCK;
  private int blocksInRow;
  private boolean closed;

  /** The input of a whole file, which closes the file. */
  CachedIndexInput(String description, OpenedFile opened, CacheRule rule, IOContext context) {
    super(description, context);
    this.opened = opened;
    this.fileClass = opened.fileClass;
    this.root = true;
    this.start = 0;
    this.end = opened.file.lengthBytes;
    this.openedRule = rule;
    this.rule = rule;
    this.source = FileRules.source(context);
  }

  /** A part of another one. */
  private CachedIndexInput(CachedIndexInput whole, String name, long start, long length) {
    super(whole.getFullSliceDescription(name), whole.getBufferSize());
    this.opened = whole.opened;
    this.fileClass = whole.root ? opened.classOfPart(name) : whole.fileClass;
    this.root = false;
    this.start = start;
    this.end = start + length;
    this.openedRule = whole.openedRule;
    this.rule = whole.rule;
    this.source = whole.source;
  }

  @Override
  public long length() {
    return end - start;
  }

  @Override
  protected void seekInternal(long position) throws IOException {
    if (position > length()) {
      throw new EOFException(
          "read past EOF: pos=" + position + " vs length=" + length() + ": " + this);
    }
  }

  @Override
  protected void readInternal(ByteBuffer dst) throws IOException {
    boolean complete = false;
    try {
      readAll(dst);
      complete = true;
    } finally {
      if (!complete) { // Or the buffer, which is Lucene's own, would pass for filled.
        dst.limit(0);
      }
    }
  }

  private void readAll(ByteBuffer dst) throws IOException {
    ensureOpen();
    long position = start + getFilePointer();
    long until = position + dst.remaining();
    if (until > end) {
      throw new EOFException("read past EOF: " + this);
    }
    if (isPastTheCache()) {
      readPastTheCache(position, dst);
      return;
    }
    int blockBytes = opened.cache.blockBytes();
    while (position < until) {
      int from = (int) (position % blockBytes);
      int length = (int) Math.min(until - position, blockBytes - from);
      copy(position - from, from, length, until, dst);
      position += length;
    }
  }

  private boolean isPastTheCache() {
    return rule == CacheRule.BYPASS || opened.cache.isClosed();
  }

  private void readPastTheCache(long position, ByteBuffer dst) throws IOException {
    IndexInput own = ownDelegate();
    own.seek(position);
    // Lucene's buffer and those that it wraps are arrays.
    own.readBytes(dst.array(), dst.arrayOffset() + dst.position(), dst.remaining(), false);
    dst.position(dst.limit());
  }

  private IndexInput ownDelegate() {
    IndexInput own = delegate;
    if (own == null) {
      own = opened.cloneDelegate();
      delegate = own;
    }
    return own;
  }

  private void copy(long block, int from, int length, long until, ByteBuffer dst)
      throws IOException {
    CurrentBlock mine = enterPlace();
    if (mine == null) { // More threads than places read at this moment.
      copyUnheld(block, from, length, until, dst);
      return;
    }
    try {
      if (!mine.holds(opened, block)) {
        fill(mine, block, until);
      }
      int before = dst.position();
      try {
        mine.copy(from, length, dst);
        opened.noteRead(fileClass, block, length, mine.isCached());
      } catch (InternalError e) { // The medium is a mapped file that was cut short.
        mine.clear();
        mine.hold(opened, block, load(block, until));
        dst.position(before);
        mine.copy(from, length, dst);
      }
    } finally {
      mine.leave();
      // Either this sees that the file is closed, or who closes it finds the place free.
      if (opened.isClosed()) {
        releasePlace();
      }
    }
  }

  /** This input's place, entered: another one if the last was taken by another input. */
  private @Nullable CurrentBlock enterPlace() {
    CurrentBlock last = place;
    if (last != null && last.tryEnter(claim)) {
      return last;
    }
    CurrentBlock fresh = opened.cache.places().enterAny();
    if (fresh != null) {
      place = fresh;
      claim = fresh.claim();
    }
    return fresh;
  }

  private void releasePlace() {
    CurrentBlock last = place;
    place = null;
    if (last != null && last.tryEnter(claim)) {
      try {
        last.clear();
      } finally {
        last.leave();
      }
    }
  }

  private void fill(CurrentBlock mine, long block, long until) throws IOException {
    blocksInRow = block == lastBlock + opened.cache.blockBytes() ? blocksInRow + 1 : 0;
    lastBlock = block;
    if (isOnce() ? mine.tryPeek(opened, block, room()) : mine.tryHold(opened, block)) {
      fileClass.hits.increment();
    } else {
      mine.hold(opened, block, load(block, until));
    }
  }

  /** Whether what is read now is no use of the block: neither looked up nor kept. */
  private boolean isOnce() {
    return rule == CacheRule.ONCE || opened.cache.isMerging();
  }

  private ByteBuffer room() {
    ByteBuffer mine = room;
    if (mine == null) {
      mine = ByteBuffer.allocate(opened.cache.blockBytes());
      room = mine;
    }
    return mine;
  }

  private ByteBuffer load(long block, long until) throws IOException {
    opened.noteMissing();
    boolean once = isOnce();
    boolean scan = blocksInRow >= SCAN_BLOCKS;
    Source now = once ? null : scan ? Source.SCAN : source;
    long wanted = scan ? Math.max(until, block + opened.cache.readAheadBytes()) : until;
    (once ? fileClass.onceMisses : fileClass.offeredMisses).increment();
    return opened.cache.reads().read(opened, ownDelegate(), block, wanted, now);
  }

  private void copyUnheld(long block, int from, int length, long until, ByteBuffer dst)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(opened.cache.blockBytes());
    if (isOnce() ? opened.peek(block, bytes) : opened.get(block, bytes)) {
      fileClass.hits.increment();
    } else {
      bytes = load(block, until);
    }
    dst.put(dst.position(), bytes, from, length);
    dst.position(dst.position() + length);
  }

  @Override
  public void prefetch(long offset, long length) throws IOException {
    ensureOpen();
    Objects.checkFromIndexSize(offset, length, length());
    if (isPastTheCache()) {
      ownDelegate().prefetch(start + offset, length);
    } else if (length > 0 && opened.isPrefetchDue()) {
      long first = start + offset;
      Source now = isOnce() ? null : Source.PREFETCH;
      if (opened.cache.reads().prefetch(opened, first, first + length, now)) {
        opened.noteMissing();
      }
    }
  }

  /**
   * A merge updates the context of the very input that searches slice, with its own hints in place
   * of those of the opening, and does not set it back if it is aborted. So the opening's rule holds
   * as well, and what searches read goes on to be offered as theirs.
   */
  @Override
  public void updateIOContext(IOContext context) throws IOException {
    ensureOpen();
    rule = FileRules.stricter(openedRule, opened.rule(fileClass, context));
    if (root) {
      opened.delegate().updateIOContext(context);
    }
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return opened.isCached() ? Optional.of(true) : opened.delegate().isLoaded();
  }

  @Override
  public CachedIndexInput clone() {
    ensureOpen();
    CachedIndexInput clone = (CachedIndexInput) super.clone();
    clone.forgetState();
    return clone;
  }

  /** What was copied belongs to the original. */
  private void forgetState() {
    root = false;
    place = null;
    delegate = null;
    room = null;
    lastBlock = NO_BLOCK;
    blocksInRow = 0;
  }

  @Override
  public IndexInput slice(String description, long offset, long length) {
    CachedIndexInput part = part(description, offset, length);
    if (part.fileClass != fileClass) {
      part.obey(FileRules.stricter(rule, opened.rule(part.fileClass, IOContext.DEFAULT)));
    }
    return part;
  }

  @Override
  public IndexInput slice(String description, long offset, long length, IOContext context) {
    CachedIndexInput part = part(description, offset, length);
    part.obey(opened.rule(part.fileClass, context));
    part.source = FileRules.source(context);
    return part;
  }

  /** Sets the rule of a part that is new. */
  private void obey(CacheRule partRule) {
    openedRule = partRule;
    rule = partRule;
    if (partRule == CacheRule.BYPASS) {
      fileClass.bypassedOpens.increment();
    }
  }

  private CachedIndexInput part(String description, long offset, long length) {
    ensureOpen();
    if ((length | offset) < 0 || length > length() - offset) {
      throw new IllegalArgumentException(
          "slice() "
              + description
              + " out of bounds: offset="
              + offset
              + ",length="
              + length
              + ",fileLength="
              + length()
              + ": "
              + this);
    }
    return new CachedIndexInput(this, description, start + offset, length);
  }

  private void ensureOpen() {
    if (closed) {
      throw new AlreadyClosedException("Already closed: " + this);
    }
    opened.ensureOpen(this);
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      releasePlace();
      if (root) {
        opened.close();
      }
    }
  }
}
