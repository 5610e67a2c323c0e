// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.loads;

import io.nvcache.BlockCache;
import io.nvcache.lucene.files.OpenedFile;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cached blocks that are about to be read, where a hit waits for a drive: Lucene announces them one
 * by one, and then reads them one by one. The first reader of one looks up those that were
 * announced together with it as well, in one batch, which takes little longer; the others find
 * theirs in memory. An announcement by itself costs no lookup.
 *
 * <p>A lookup in a batch belongs to the reader who comes for the block: there is no other. What no
 * reader comes for is forgotten once enough later blocks have come. Blocks are of an incarnation of
 * a file, whose bytes never change.
 *
 * <p><b>Threads.</b> Thread-safe. The monitor is held for a look at the tables, not while blocks
 * are read; a reader whose block is being read in another's batch waits for that.
 */
public final class CachedAhead {
  /** The most blocks that are looked up in a batch. */
  private static final int MOST_IN_BATCH = 16;

  /** The most announced blocks, and the most read ones, that wait for a reader. */
  private static final int MOST_WAITING = 64;

  private final BlockCache blocks;
  private final boolean isOfUse;

  /** The oldest first, as is the other. */
  private final Map<BlockName, OpenedFile> announced = new LinkedHashMap<>();

  private final Map<BlockName, Load> read = new LinkedHashMap<>();

  /** A hint: whether there is anything in the tables. */
  private volatile boolean used;

  public CachedAhead(BlockCache blocks) {
    this.blocks = blocks;
    this.isOfUse = blocks.control().blocksAtOnce() > 1;
  }

  /** Returns whether announcements are of any use: not where blocks lie in memory. */
  public boolean isOfUse() {
    return isOfUse;
  }

  /** Notes that the blocks of a range are about to be read. */
  public void announce(OpenedFile file, long from, long until) {
    int blockBytes = file.blockBytes();
    long first = from - from % blockBytes;
    long end = Math.min(until, first + (long) MOST_IN_BATCH * blockBytes);
    synchronized (this) {
      used = true;
      for (long at = first; at < end; at += blockBytes) {
        BlockName name = new BlockName(file.id(), at);
        if (!read.containsKey(name)) {
          announced.put(name, file);
        }
      }
      dropOldest(announced);
    }
  }

  /**
   * Returns a cached block that was announced, for reading by absolute positions alone; null if it
   * was not, or not with others, or is not cached.
   */
  public @Nullable ByteBuffer take(OpenedFile file, long offset) {
    if (!used) {
      return null;
    }
    BlockName name = new BlockName(file.id(), offset);
    List<OpenedFile> files = new ArrayList<>();
    List<BlockName> names = new ArrayList<>();
    List<Load> loads = new ArrayList<>();
    Load waiting;
    synchronized (this) {
      waiting = read.remove(name);
      // What is not cached is left to its own reader: two lookups would count as two uses.
      if (waiting == null && announced.remove(name) != null && isCached(name)) {
        add(file, name, files, names, loads);
        Iterator<Map.Entry<BlockName, OpenedFile>> rest = announced.entrySet().iterator();
        while (rest.hasNext() && names.size() < MOST_IN_BATCH) {
          Map.Entry<BlockName, OpenedFile> next = rest.next();
          rest.remove();
          if (isCached(next.getKey())) {
            add(next.getValue(), next.getKey(), files, names, loads);
            read.put(next.getKey(), loads.get(loads.size() - 1));
          }
        }
        dropOldest(read);
      }
      used = !(announced.isEmpty() && read.isEmpty());
    }
    if (waiting != null) {
      return waiting.join();
    }
    if (names.size() < 2) { // One by itself is looked up where it lies.
      return null;
    }
    lookUp(files, names, loads);
    return loads.get(0).join();
  }

  private boolean isCached(BlockName name) {
    return blocks.control().isCached(name.fileId(), name.offset());
  }

  private static void add(
      OpenedFile file,
      BlockName name,
      List<OpenedFile> files,
      List<BlockName> names,
      List<Load> loads) {
    files.add(file);
    names.add(name);
    loads.add(new Load(null));
  }

  private static void dropOldest(Map<BlockName, ?> waiting) {
    Iterator<?> oldest = waiting.keySet().iterator();
    while (waiting.size() > MOST_WAITING) {
      oldest.next();
      oldest.remove();
    }
  }

  private void lookUp(List<OpenedFile> files, List<BlockName> names, List<Load> loads) {
    int count = names.size();
    long[] fileIds = new long[count];
    long[] offsets = new long[count];
    ByteBuffer[] dsts = new ByteBuffer[count];
    int[] lengths = new int[count];
    try {
      for (int i = 0; i < count; i++) {
        fileIds[i] = names.get(i).fileId();
        offsets[i] = names.get(i).offset();
        dsts[i] = ByteBuffer.allocate(files.get(i).blockLength(offsets[i]));
      }
      blocks.getAll(count, fileIds, offsets, dsts, lengths);
      for (int i = 0; i < count; i++) {
        if (lengths[i] == dsts[i].capacity()) {
          loads.get(i).complete(dsts[i].clear());
        }
      }
    } finally {
      for (int i = 0; i < count; i++) {
        if (!loads.get(i).isDone()) {
          loads.get(i).fail(); // Its reader looks in the delegate.
          forget(names.get(i), loads.get(i));
        }
      }
    }
  }

  private synchronized void forget(BlockName name, Load load) {
    read.remove(name, load);
  }

  /** Forgets the blocks of a file. */
  public synchronized void forget(OpenedFile file) {
    announced.values().removeIf(of -> of == file);
    read.keySet().removeIf(name -> name.fileId() == file.id());
  }

  /** Forgets all blocks. */
  public synchronized void close() {
    announced.clear();
    read.clear();
    used = false;
  }
}
