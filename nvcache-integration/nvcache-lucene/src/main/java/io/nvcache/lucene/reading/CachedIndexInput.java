// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.reading;

import io.nvcache.BlockCursor;
import io.nvcache.FileView;
import io.nvcache.Source;
import io.nvcache.lucene.CacheRule;
import io.nvcache.lucene.files.FileClass;
import io.nvcache.lucene.files.OpenedFile;
import io.nvcache.lucene.files.ReadTerms;
import io.nvcache.lucene.loads.CachedAhead;
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

  private final Reading reading;
  private final OpenedFile opened;
  private final FileClass fileClass;

  /** Whether this is all of a file, or of one in a compound file. */
  private final boolean whole;

  /** Whether this is what the directory gave out, and closes the file. */
  private boolean root;

  private boolean isClone;

  /** What the context of the opening said, whatever came later. */
  private ReadTerms openedTerms;

  private CacheRule rule;

  /** Whether the bytes wanted are those on the disk, by the context or as a checksum. */
  private boolean readsDisk;

  private @Nullable BlockCursor cursor;
  private @Nullable ClaimedPlace place;
  private @Nullable IndexInput delegate;

  /** The buffer for copies of blocks. */
  private @Nullable ByteBuffer room;

  /** The block that was read or copied last, and is still there; null if another came since. */
  private @Nullable ByteBuffer held;

  private boolean isHeldCached;
  private long heldBlock;
  private long lastBlock = NO_BLOCK;
  private int blocksInRow;
  private boolean closed;

  /** The input of a whole file, which closes the file. */
  CachedIndexInput(Reading reading, OpenedFile opened, ReadTerms terms) {
    super("NvCache(" + opened.delegate() + ")", 0, opened.lengthBytes());
    this.reading = reading;
    this.opened = opened;
    this.fileClass = opened.fileClass();
    this.whole = true;
    this.root = true;
    this.openedTerms = terms;
    this.rule = terms.rule();
    this.readsDisk = terms.wantsDisk();
    if (rule == CacheRule.IMPORTANT) {
      opened.important(start, end);
    }
  }

  /** A part of another one. */
  private CachedIndexInput(CachedIndexInput of, String name, long start, long length) {
    super(of.getFullSliceDescription(name), start, length);
    this.reading = of.reading;
    this.opened = of.opened;
    boolean isFile = of.root && opened.isFile(name);
    this.fileClass = isFile ? opened.classOfPart(name) : of.fileClass;
    this.whole = isFile;
    this.openedTerms = of.openedTerms;
    this.rule = of.rule;
    this.readsDisk = openedTerms.wantsDisk();
  }

  @Override
  void turnTo(long at, long until) throws IOException {
    ensureOpen();
    if (isPastTheCache()) {
      readPastTheCache(at, until);
      return;
    }
    long block = at - at % opened.blockBytes();
    if (!isHeld(block)) {
      held = null; // What it is in may be written to, and what is read may fail.
      boolean another = noteRow(block);
      if (isOnce()) {
        peek(block);
      } else if (readInPlace(block, another, until)
          || (!readAhead(block, until) && place(block, at, until))) {
        return;
      }
      if (held == null) {
        hold(block, load(block, until), false);
      }
    }
    showHeld(at, until);
  }

  private boolean isPastTheCache() {
    return rule == CacheRule.BYPASS || opened.isCacheClosed() || (readsDisk && !isMerging());
  }

  private void readPastTheCache(long at, long until) throws IOException {
    long most = readsDisk ? Math.max(reading.readAheadBytes(), until - at) : until - at;
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
    blocksInRow = block == lastBlock + opened.blockBytes() ? blocksInRow + 1 : 0;
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
    CachedAhead ahead = reading.ahead();
    if (!ahead.isOfUse()) {
      return false;
    }
    if (until - block > opened.blockBytes()) {
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

  /** Holds a block if it is cached, without a lookup. */
  private void peek(long block) {
    if (opened.peek(block, room())) {
      fileClass.hits.increment();
      hold(block, room(), true);
    }
  }

  /**
   * Opens the window onto a piece that is copied from a pinned block; false if that was missing, or
   * can't be pinned.
   */
  private boolean place(long block, long at, long until) {
    if (held != null) {
      return false;
    }
    ClaimedPlace mine = place;
    if (mine == null) {
      mine = new ClaimedPlace(reading.places(), opened, fileClass);
      place = mine;
    }
    ByteBuffer bytes = room(); // It may find no memory; then no place must be entered.
    CurrentBlock entered = mine.enter();
    if (entered == null) { // More threads than places read at this moment.
      if (opened.get(block, bytes)) {
        fileClass.hits.increment();
        hold(block, room(), true);
      }
      return false;
    }
    int from = (int) (at - block);
    int length =
        (int) Math.min(opened.blockLength(block) - from, Math.max(PIECE_BYTES, until - at));
    if (!mine.copy(entered, block, from, bytes.limit(length))) {
      return false;
    }
    show(bytes.array(), bytes.arrayOffset(), at, length);
    return true;
  }

  private boolean isHeld(long block) {
    return held != null && heldBlock == block;
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
    if (!isMerging()) {
      show(bytes.array(), bytes.arrayOffset(), heldBlock, length);
      return;
    }
    int from = (int) (at - heldBlock);
    int piece = (int) Math.min(length - from, Math.max(PIECE_BYTES, until - at));
    reading
        .merges()
        .noteRead(
            fileClass.name(), piece, isHeldCached ? opened.itself() : opened.inputsOf(heldBlock));
    show(bytes.array(), bytes.arrayOffset() + from, at, piece);
  }

  /** Whether what is read now does not use the block: neither looked up nor kept. */
  private boolean isOnce() {
    return rule == CacheRule.ONCE || isMerging();
  }

  /** Whether the calling thread merges segments. */
  private boolean isMerging() {
    return reading.merges().isMerging();
  }

  /** Memory for a block, position 0. */
  private ByteBuffer room() {
    ByteBuffer mine = room;
    if (mine == null || mine.capacity() < opened.blockBytes()) {
      mine = ByteBuffer.allocate(opened.blockBytes());
      room = mine;
    }
    return mine.clear();
  }

  private ByteBuffer load(long block, long until) throws IOException {
    opened.noteMissing();
    boolean once = isOnce();
    boolean scan = blocksInRow >= SCAN_BLOCKS;
    Source now = once ? null : scan ? Source.SCAN : openedTerms.source();
    long wanted = scan ? Math.max(until, block + reading.readAheadBytes()) : until;
    (once ? fileClass.onceMisses : fileClass.offeredMisses).increment();
    return reading.loads().read(opened, ownDelegate(), block, wanted, now);
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
    boolean disk = openedTerms.wantsDisk() || checks;
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
    if (length > 0) {
      long first = start + offset;
      reading.prefetch(opened, first, first + length, isOnce() ? null : Source.PREFETCH);
    }
  }

  /**
   * A merge updates the context of the very input that searches slice, with its own hints instead
   * of the opening's, and does not set it back if it is aborted. So the opening's rule holds as
   * well, and what searches read continues to be offered as theirs.
   */
  @Override
  public void updateIOContext(IOContext context) throws IOException {
    ensureOpen();
    rule = ReadTerms.stricter(openedTerms.rule(), opened.rule(fileClass, context));
    readsDisk = openedTerms.wantsDisk() || ReadTerms.wantsDisk(context);
    closeWindow();
    held = null;
    if (root) {
      opened.delegate().updateIOContext(context);
    }
  }

  @Override
  public Optional<Boolean> isLoaded() {
    return opened.isAllCached() ? Optional.of(true) : opened.delegate().isLoaded();
  }

  @Override
  public CachedIndexInput clone() {
    ensureOpen();
    CachedIndexInput clone = (CachedIndexInput) super.clone();
    clone.root = false;
    clone.isClone = true;
    clone.readsDisk = openedTerms.wantsDisk();
    clone.cursor = null;
    clone.place = null;
    clone.delegate = null;
    clone.room = null;
    clone.held = null;
    clone.lastBlock = NO_BLOCK; // And so none in a row.
    return clone;
  }

  @Override
  public IndexInput slice(String description, long offset, long length) {
    CachedIndexInput part = part(description, offset, length);
    if (part.fileClass != fileClass) {
      CacheRule own = opened.rule(part.fileClass, IOContext.DEFAULT);
      CacheRule partRule = rule == CacheRule.CACHE ? own : ReadTerms.stricter(rule, own);
      part.obey(part.openedTerms.with(partRule));
    }
    return part;
  }

  @Override
  public IndexInput slice(String description, long offset, long length, IOContext context) {
    CachedIndexInput part = part(description, offset, length);
    // Of an object, metadata is kept: each opening of an index reads it, by a request for a file.
    IOContext wanted =
        ReadTerms.wantsDisk(context) && opened.isSmallOfAnObject(length)
            ? IOContext.DEFAULT
            : context;
    part.obey(ReadTerms.of(opened.rule(part.fileClass, wanted), wanted));
    return part;
  }

  /** Sets the terms of a part that is new. */
  private void obey(ReadTerms terms) {
    openedTerms = terms;
    rule = terms.rule();
    readsDisk = terms.wantsDisk();
    if (rule == CacheRule.BYPASS) {
      fileClass.bypassedOpens.increment();
    } else if (rule == CacheRule.IMPORTANT) {
      opened.important(start, end);
    }
  }

  private CachedIndexInput part(String description, long offset, long length) {
    ensureOpen();
    checkPart(description, offset, length);
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
      ClaimedPlace mine = place;
      if (mine != null) {
        place = null;
        mine.release();
      }
      if (root) {
        reading.close(opened);
      }
    }
  }
}
