// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.read;

import io.nvcache.BlockCache;
import io.nvcache.BlockCursor;
import io.nvcache.FileView;
import io.nvcache.control.MissReason;
import io.nvcache.internal.index.BlockIndex;
import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.index.FileTable;
import io.nvcache.internal.space.BlockTables;
import io.nvcache.internal.space.LocationCodec;
import io.nvcache.internal.space.MediumSpace;
import org.jspecify.annotations.Nullable;

/**
 * Leads cursors to blocks that are read where they lie: first to the place where the block was
 * found last, and by a search if it is not there.
 */
public final class InPlaceReads {
  private final BlockIndex index;
  private final FileTable files;
  private final LocationCodec locations;
  private final MediumSpace space;
  private final Lookups lookups;
  private final PinnedMedium medium;
  private final PlacePages pages;
  private final Search search;
  private final SearchAgain searchAgain;

  private InPlaceReads(BlockTables tables, Lookups lookups, PinnedMedium medium) {
    this.index = tables.index();
    this.files = tables.files();
    this.locations = tables.locations();
    this.space = tables.space();
    this.lookups = lookups;
    this.medium = medium;
    this.pages = new PlacePages(index.slots());
    this.search = new Search(tables);
    this.searchAgain = new SearchAgain(tables);
  }

  /**
   * Returns null where blocks can't be read in place: where they have checksums, or the medium is
   * no memory, or memory that a file lies behind, which may be cut short.
   */
  public static @Nullable InPlaceReads of(
      BlockTables tables, Lookups lookups, PinnedMedium medium) {
    return tables.blocks().isPlainMemory() ? new InPlaceReads(tables, lookups, medium) : null;
  }

  /** Keeps the memory of the medium and of the index for all cursors of a view. */
  private record Memory(MediumHandle medium, Object index) {}

  /** Returns a view of a file. To be called inside the gate, while it is open. */
  FileView view(Reader reader, long fileId, int blockBytes, long lengthBytes) {
    MediumHandle handle = medium.handle();
    handle.allowUnseenReads();
    Memory memory = new Memory(handle, index.lifetime().leaveToCollector());
    return new FileInPlace(this, reader, pages, memory, fileId, blockBytes, lengthBytes);
  }

  BlockCursor cursor(FileInPlace view) {
    return new InPlaceCursor(view, index);
  }

  /** Has a cursor move to the block that it names; returns its length, or why not. */
  int move(InPlaceCursor cursor, int stripe) {
    int length = moveToNoted(cursor);
    return length > 0 ? length : search.find(cursor, stripe);
  }

  /**
   * Has a cursor find its block again, which does not count as a lookup; false if it is at none
   * afterwards.
   */
  boolean findAgain(InPlaceCursor cursor, int stripe) {
    return searchAgain.find(cursor, stripe) > 0;
  }

  /** Moves to where the block was found last; 0 if it is not there any more. */
  private int moveToNoted(InPlaceCursor cursor) {
    FileInPlace view = cursor.view;
    int number = view.number(files);
    if (number == FileTable.NONE) {
      return 0;
    }
    int epoch = index.lifetime().epoch();
    long place = view.place(cursor.offset, number, epoch);
    if (place == FileInPlace.NONE) {
      return 0;
    }
    int slot = slot(place);
    long bucket = index.bucketOf(slot);
    // Either may be torn, until it is known that the version is unchanged.
    long location = index.location(slot);
    int length = locations.slotBytes(location) - index.slack(slot);
    if (!Bucket.isUnchanged(bucket, version(place))) {
      return 0;
    }
    lookups.touch(slot);
    cursor.begin(bucket, version(place), epoch);
    cursor.stay(space.address(location), length);
    return length;
  }

  // A place is the version and the slot after the one it means: so none is 0.

  private static long place(int version, int slot) {
    return (long) version << Integer.SIZE | (slot + 1L);
  }

  private static int slot(long place) {
    return (int) place - 1;
  }

  private static int version(long place) {
    return (int) (place >>> Integer.SIZE);
  }

  /** Finds a block by its key, and notes the place. */
  private class SearchAgain extends ValidatedRead<InPlaceCursor> {
    SearchAgain(BlockTables tables) {
      super(tables);
    }

    /** Returns the block's length, or why the cursor is at none. */
    final int find(InPlaceCursor cursor, int stripe) {
      int found = read(cursor.view.fileId, cursor.offset, BlockReads.WHOLE, cursor, stripe);
      if (found < 0) {
        cursor.abandon();
      }
      return found;
    }

    @Override
    final int take(int slot, long location, int length, int from, InPlaceCursor cursor) {
      // The epoch first: it changes before a version can come again.
      int epoch = index.lifetime().epoch();
      long bucket = index.bucketOf(slot);
      cursor.begin(bucket, Bucket.versionAcquire(bucket), epoch);
      int most = cursor.view.blockBytes;
      return length <= most && space.holds(location, most) ? length : BlockCursor.NOT_IN_PLACE;
    }

    @Override
    int accept(
        int taken,
        int slot,
        long location,
        int length,
        int from,
        InPlaceCursor cursor,
        int stripe) {
      if (taken == BlockCursor.NOT_IN_PLACE) {
        return taken;
      }
      int number = BucketLayout.fileNumber(index.key(slot));
      int version = cursor.version();
      if (Bucket.isUnchanged(index.bucketOf(slot), version)) { // Or it may be another's number.
        cursor.view.note(cursor.offset, number, cursor.epoch(), place(version, slot));
      }
      cursor.stay(space.address(location), length);
      return length;
    }

    @Override
    int missed(MissReason reason, int stripe) {
      return BlockCache.MISS;
    }
  }

  /** Does so for a lookup, and counts why it missed. */
  private final class Search extends SearchAgain {
    Search(BlockTables tables) {
      super(tables);
    }

    @Override
    int accept(
        int taken,
        int slot,
        long location,
        int length,
        int from,
        InPlaceCursor cursor,
        int stripe) {
      lookups.touch(slot);
      return super.accept(taken, slot, location, length, from, cursor, stripe);
    }

    @Override
    int missed(MissReason reason, int stripe) {
      return lookups.missed(reason, stripe);
    }
  }
}
