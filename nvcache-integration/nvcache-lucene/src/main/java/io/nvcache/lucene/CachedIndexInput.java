// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.BlockCursor;
import io.nvcache.FileView;
import io.nvcache.Source;
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
 * Reads a file, or a part of it, by blocks of the cache: where they lie, if they lie in memory; by
 * pieces that are copied from a pinned block, if not; and from an array what was missing.
 *
 * <p><b>What reads the disk.</b> A checksum of a whole file is made to see what is on the disk, so
 * it must not be of cached blocks. Lucene makes one of a clone that begins at the file's first
 * byte, where no other reads begin: a header lies there, which only the input that was opened
 * reads. So a clone that is sent there goes past the cache until it is sent elsewhere. A thread
 * that merges does not: what it checks is what it merges, and that is what the cache has.
 *
 * <p>As any {@link IndexInput}, for one thread at a time; clones and slices are independent.
 */
final class CachedIndexInput extends WindowedIndexInput {
  /** Blocks in a row after which reads are taken to be a scan. */
  private static final int SCAN_BLOCKS = 8;

  /** What is copied or read at least, as Lucene's own buffers hold. */
  private static final int PIECE_BYTES = BufferedIndexInput.BUFFER_SIZE;

  private static final int MOST_BYTES_PAST_THE_CACHE = 1 << 20;
  private static final long NO_BLOCK = -1;

  private final OpenedFile opened;
  private final FileClass fileClass;

  /** Whether this is all of a file, or of one in a compound file. */
  private final boolean whole;

  /** Whether this is what the directory gave out, and closes the file. */
  private boolean root;

  private boolean isClone;

  /** What the context of the opening said, whatever came later. */
  private CacheRule openedRule;

  private boolean openedForDisk;

  private CacheRule rule;

  /** Whether the bytes wanted are those on the disk, by the context or as a checksum. */
  private boolean readsDisk;

  private Source source;
  private @Nullable BlockCursor cursor;
  private @Nullable CurrentBlock place;
  private long claim;
  private @Nullable IndexInput delegate;

  /** For copies of blocks. */
  private @Nullable ByteBuffer room;

  /** The block that was read or copied last, and is still there; null if another came since. */
  private @Nullable ByteBuffer held;

  private boolean isHeldCached;
  private long heldBlock;
  private long lastBlock = NO_BLOCK;
  private int blocksInRow;
  private boolean closed;

  /** The input of a whole file, which closes the file. */
  CachedIndexInput(String description, OpenedFile opened, CacheRule rule, IOContext context) {
    super(description, 0, opened.file.lengthBytes);
    this.opened = opened;
    this.fileClass = opened.fileClass;
    this.whole = true;
    this.root = true;
    this.openedRule = rule;
    this.openedForDisk = FileRules.wantsDisk(context);
    this.rule = rule;
    this.readsDisk = openedForDisk;
    this.source = FileRules.source(context);
    if (rule == CacheRule.IMPORTANT) {
      opened.important(start, end);
    }
  }

  /** A part of another one. */
  private CachedIndexInput(CachedIndexInput of, String name, long start, long length) {
    super(of.getFullSliceDescription(name), start, length);
    this.opened = of.opened;
    boolean isFile = of.root && opened.isFile(name);
    this.fileClass = isFile ? opened.classOfPart(name) : of.fileClass;
    this.whole = isFile;
    this.root = false;
    this.openedRule = of.openedRule;
    this.openedForDisk = of.openedForDisk;
    this.rule = of.rule;
    this.readsDisk = of.openedForDisk;
    this.source = of.source;
  }

  @Override
  void turnTo(long at, long until) throws IOException {
    ensureOpen();
    if (isPastTheCache()) {
      readPastTheCache(at, until);
      return;
    }
    int blockBytes = opened.cache.blockBytes();
    long block = at - at % blockBytes;
    if (held != null && heldBlock == block) {
      showHeld(at, until);
      return;
    }
    boolean another = noteRow(block);
    boolean once = isOnce();
    if (!once && readInPlace(block, another, until)) {
      return;
    }
    if (!once && readAhead(block, until)) {
      showHeld(at, until);
      return;
    }
    if (!once && place(block, at, until)) {
      return;
    }
    if (once && opened.peek(block, room())) {
      fileClass.hits.increment();
      hold(block, room(), true);
    } else if (held == null || heldBlock != block) {
      hold(block, load(block, until), false);
    }
    showHeld(at, until);
  }

  private boolean isPastTheCache() {
    return rule == CacheRule.BYPASS
        || opened.cache.isClosed()
        || (readsDisk && !opened.cache.isMerging());
  }

  private void readPastTheCache(long at, long until) throws IOException {
    long most = readsDisk ? Math.max(opened.cache.readAheadBytes(), until - at) : until - at;
    int length =
        (int) Math.min(end - at, Math.max(PIECE_BYTES, Math.min(most, MOST_BYTES_PAST_THE_CACHE)));
    ByteBuffer bytes = room;
    if (bytes == null || bytes.capacity() < length) {
      bytes = ByteBuffer.allocate(length);
      room = bytes;
    }
    held = null;
    IndexInput own = ownDelegate();
    own.seek(at);
    own.readBytes(bytes.array(), 0, length, false);
    show(bytes.array(), 0, at, length);
  }

  private IndexInput ownDelegate() {
    IndexInput own = delegate;
    if (own == null) {
      own = opened.cloneDelegate();
      delegate = own;
    }
    return own;
  }

  /** Notes that a block is read; returns whether another one was read before. */
  private boolean noteRow(long block) {
    boolean another = block != lastBlock;
    blocksInRow = block == lastBlock + opened.cache.blockBytes() ? blocksInRow + 1 : 0;
    lastBlock = block;
    return another;
  }

  /** Opens the window onto a block where it lies, or onto what was read if it was missing. */
  private boolean readInPlace(long block, boolean another, long until) throws IOException {
    BlockCursor mine = cursor;
    if (mine == null) {
      FileView view = opened.view();
      if (view == null) {
        return false;
      }
      mine = view.cursor();
      cursor = mine;
    }
    int length = mine.moveTo(block);
    if (length == opened.blockLength(block)) {
      if (another) {
        fileClass.hits.increment();
      }
      held = null;
      showInPlace(mine, block, length);
      return true;
    }
    if (length != BlockCursor.NOT_IN_PLACE) {
      hold(block, load(block, until), false);
    }
    return false;
  }

  /**
   * Holds a block that was, or now is, looked up together with others that are about to be read.
   */
  private boolean readAhead(long block, long until) {
    CachedAhead ahead = opened.cache.cachedAhead();
    if (!ahead.isOfUse()) {
      return false;
    }
    if (until - block > opened.cache.blockBytes()) {
      ahead.announce(opened, block, until);
    }
    ByteBuffer bytes = ahead.take(opened, block);
    if (bytes == null) {
      return false;
    }
    fileClass.hits.increment();
    hold(block, bytes, true);
    return true;
  }

  /** Copies a piece of a block that is pinned; false if it was missing, or can't be pinned. */
  private boolean place(long block, long at, long until) throws IOException {
    if (held != null && heldBlock == block) {
      return false;
    }
    CurrentBlock mine = enterPlace();
    if (mine == null) { // More threads than places read at this moment.
      if (opened.get(block, room())) {
        fileClass.hits.increment();
        hold(block, room(), true);
      }
      return false;
    }
    try {
      if (!mine.holds(opened, block)) {
        if (!mine.tryHold(opened, block)) {
          return false;
        }
        fileClass.hits.increment();
      }
      int from = (int) (at - block);
      int length =
          (int) Math.min(opened.blockLength(block) - from, Math.max(PIECE_BYTES, until - at));
      ByteBuffer bytes = room();
      held = null;
      mine.copy(from, bytes.limit(length));
      show(bytes.array(), 0, at, length);
      return true;
    } catch (InternalError e) { // The medium is a mapped file that was cut short.
      mine.clear();
      return false;
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

  private void hold(long block, ByteBuffer bytes, boolean cached) {
    held = bytes;
    heldBlock = block;
    isHeldCached = cached;
  }

  /** Opens the window onto the block that is held; for a merge onto a piece, which it notes. */
  private void showHeld(long at, long until) {
    ByteBuffer bytes = Objects.requireNonNull(held, "held");
    int length = opened.blockLength(heldBlock);
    if (!opened.cache.isMerging()) {
      show(bytes.array(), bytes.arrayOffset(), heldBlock, length);
      return;
    }
    int from = (int) (at - heldBlock);
    int piece = (int) Math.min(length - from, Math.max(PIECE_BYTES, until - at));
    opened.noteRead(fileClass, heldBlock, piece, isHeldCached);
    show(bytes.array(), bytes.arrayOffset() + from, at, piece);
  }

  /** Whether what is read now does not use the block: neither looked up nor kept. */
  private boolean isOnce() {
    return rule == CacheRule.ONCE || opened.cache.isMerging();
  }

  /** Memory for a block, position 0. */
  private ByteBuffer room() {
    ByteBuffer mine = room;
    if (mine == null || mine.capacity() < opened.cache.blockBytes()) {
      mine = ByteBuffer.allocate(opened.cache.blockBytes());
      room = mine;
    }
    return mine.clear();
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

  @Override
  public void seek(long pos) throws IOException {
    super.seek(pos);
    if (isClone && (pos == 0 || readsDisk)) {
      noteSeek(pos);
    }
  }

  private void noteSeek(long pos) {
    boolean checks = pos == 0 && whole;
    boolean disk = openedForDisk || checks;
    if (disk != readsDisk) {
      readsDisk = disk;
      closeWindow();
      held = null;
      if (disk && isPastTheCache()) {
        fileClass.bypassedOpens.increment();
      }
    }
  }

  @Override
  public void prefetch(long offset, long length) throws IOException {
    ensureOpen();
    Objects.checkFromIndexSize(offset, length, length());
    if (isPastTheCache()) {
      ownDelegate().prefetch(start + offset, length);
      return;
    }
    long first = start + offset;
    if (length > 0 && opened.cache.cachedAhead().isOfUse() && !isOnce()) {
      opened.cache.cachedAhead().announce(opened, first, first + length);
    }
    if (length > 0 && opened.isPrefetchDue()) {
      Source now = isOnce() ? null : Source.PREFETCH;
      if (opened.cache.reads().prefetch(opened, first, first + length, now)) {
        opened.noteMissing();
      }
    }
  }

  /**
   * A merge updates the context of the very input that searches slice, with its own hints in place
   * of the opening's, and does not set it back if it is aborted. So the opening's rule holds as
   * well, and what searches read continues to be offered as theirs.
   */
  @Override
  public void updateIOContext(IOContext context) throws IOException {
    ensureOpen();
    rule = FileRules.stricter(openedRule, opened.rule(fileClass, context));
    readsDisk = openedForDisk || FileRules.wantsDisk(context);
    closeWindow();
    held = null;
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
    isClone = true;
    readsDisk = openedForDisk;
    cursor = null;
    place = null;
    delegate = null;
    room = null;
    held = null;
    lastBlock = NO_BLOCK;
    blocksInRow = 0;
  }

  @Override
  public IndexInput slice(String description, long offset, long length) {
    CachedIndexInput part = part(description, offset, length);
    if (part.fileClass != fileClass) {
      CacheRule own = opened.rule(part.fileClass, IOContext.DEFAULT);
      part.obey(rule == CacheRule.CACHE ? own : FileRules.stricter(rule, own));
    }
    return part;
  }

  @Override
  public IndexInput slice(String description, long offset, long length, IOContext context) {
    CachedIndexInput part = part(description, offset, length);
    // Of an object, metadata is kept: each opening of an index reads it, by a request for a file.
    IOContext wanted =
        FileRules.wantsDisk(context) && opened.isSmallOfAnObject(length)
            ? IOContext.DEFAULT
            : context;
    part.obey(opened.rule(part.fileClass, wanted));
    part.source = FileRules.source(wanted);
    part.openedForDisk = FileRules.wantsDisk(wanted);
    part.readsDisk = part.openedForDisk;
    return part;
  }

  /** Sets the rule of a part that is new. */
  private void obey(CacheRule partRule) {
    openedRule = partRule;
    rule = partRule;
    if (partRule == CacheRule.BYPASS) {
      fileClass.bypassedOpens.increment();
    } else if (partRule == CacheRule.IMPORTANT) {
      opened.important(start, end);
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
      closeWindow();
      cursor = null;
      held = null;
      releasePlace();
      if (root) {
        opened.close();
      }
    }
  }
}
