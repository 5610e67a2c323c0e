// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.Source;
import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.LruList;
import io.nvcache.model.machine.ModelMachine;
import io.nvcache.model.machine.ModelParameters;
import io.nvcache.model.tier.Tier;

/**
 * A copy-on-write B-tree store as WiredTiger is one: pages in memory, blocks on disk below a
 * kernel's buffer cache, changed pages reconciled into fresh blocks (SoCC '22, §2.3 and Fig. 3).
 */
public final class Store {
  private final ModelMachine machine;
  private final ModelParameters parameters;
  private final BlockFile file;
  private final LruList pages;
  private final LruList dirtyPages;
  private final int dirtyLimit;
  private final LruList bufferCache;
  private final Memory memory;
  private final Tier tier;
  private int tailRecords;

  public Store(
      ModelMachine machine,
      BlockFile file,
      int pageFrames,
      int bufferFrames,
      Memory memory,
      Tier tier) {
    this.machine = machine;
    this.parameters = machine.parameters();
    this.file = file;
    this.pages = new LruList(pageFrames);
    this.dirtyPages = new LruList(pageFrames);
    this.dirtyLimit = (int) (parameters.dirtyShare() * pageFrames);
    this.bufferCache = new LruList(bufferFrames);
    this.memory = memory;
    this.tier = tier;
    tellLength();
  }

  BlockFile file() {
    return file;
  }

  /** Finds a page in memory and charges for the look at it; false if it has to be read. */
  boolean visit(int page, Activity activity) {
    int frame = pages.find(page);
    if (frame == LruList.NONE) {
      return false;
    }
    pages.touch(frame);
    memory.glance(frame, activity);
    return true;
  }

  /** Reads a page's block; returns the place it was read from, for {@link #load}. */
  Fetch fetch(int page, Activity activity) {
    int place = file.placeOf(page);
    if (tier.read(place, activity)) {
      return new Fetch(place, Fetch.From.TIER);
    }
    int frame = bufferCache.find(place);
    if (frame != LruList.NONE) {
      bufferCache.touch(frame);
      machine.compute(activity, parameters.osHitSeconds());
      memory.read(bufferFrame(frame), activity);
      return new Fetch(place, Fetch.From.BUFFER_CACHE);
    }
    tier.readBelow(place, activity);
    return new Fetch(place, Fetch.From.BELOW);
  }

  /** Makes a page of the block that was read. */
  void load(int page, Fetch fetch, Source source, Activity activity) {
    if (fetch.from() == Fetch.From.BELOW) {
      buffer(fetch.place(), activity);
    }
    if (fetch.from() != Fetch.From.TIER && file.placeOf(page) == fetch.place()) {
      tier.fetched(fetch.place(), source, activity);
    }
    machine.compute(activity, parameters.decodeSeconds());
    if (!visit(page, activity)) {
      memory.write(addPage(page, activity), activity);
    }
  }

  /** Changes a page that is in memory. */
  void change(int page, Activity activity) {
    int frame = pages.find(page);
    if (frame == LruList.NONE) {
      return;
    }
    memory.write(frame, activity);
    int dirty = dirtyPages.find(page);
    if (dirty == LruList.NONE) {
      dirtyPages.add(page);
    } else {
      dirtyPages.touch(dirty);
    }
  }

  /** The page that the next new record belongs to; begins one when the last is full. */
  int pageOfNewRecord(Activity activity) {
    if (tailRecords == parameters.recordsPerPage()) {
      tailRecords = 0;
      memory.write(addPage(file.addPage(), activity), activity);
    }
    tailRecords++;
    return file.pages() - 1;
  }

  /** The page that was changed the longest ago, if too many are; else {@link LruList#NONE}. */
  int pageToClean() {
    return dirtyPages.size() > dirtyLimit ? dirtyPages.oldest() : LruList.NONE;
  }

  LruList dirtyPages() {
    return dirtyPages;
  }

  /**
   * Writes a changed page to a fresh block; it stays in memory.
   *
   * <p>The old block is given up first. In the other order a full cache would refuse the new one,
   * and then lose the old one: docs/evidence/generated/reproduction.md tells how much hangs on it.
   */
  void clean(int page, Activity activity) {
    dirtyPages.remove(page);
    machine.compute(activity, parameters.reconcileSeconds());
    int length = file.highWaterMark();
    int old = file.move(page);
    int place = file.placeOf(page);
    if (file.highWaterMark() > length) {
      tellLength();
    }
    if (old != BlockFile.NOWHERE) {
      tier.freed(old, activity);
    }
    buffer(place, activity);
    tier.write(place, activity);
  }

  private int addPage(int page, Activity activity) {
    if (pages.isFull()) {
      evict(pages.oldest(), activity);
    }
    return pages.add(page);
  }

  private void evict(int page, Activity activity) {
    if (dirtyPages.find(page) != LruList.NONE) {
      clean(page, activity);
    }
    tier.pageLeft(file.placeOf(page), activity);
    pages.remove(page);
  }

  private void buffer(int place, Activity activity) {
    if (bufferCache.capacity() == 0) {
      return;
    }
    int frame = bufferCache.find(place);
    if (frame == LruList.NONE) {
      frame = bufferCache.add(place);
    } else {
      bufferCache.touch(frame);
    }
    memory.fill(bufferFrame(frame), activity);
  }

  /** Frames of the buffer cache come after pages. */
  private int bufferFrame(int frame) {
    return pages.capacity() + frame;
  }

  private void tellLength() {
    tier.dataSetBytes((long) file.highWaterMark() * parameters.blockBytes());
  }

  /**
   * A block on its way to becoming a page.
   *
   * @param place where it lies
   * @param from who had it
   */
  record Fetch(int place, From from) {
    /** Who can have a block. */
    enum From {
      TIER,
      BUFFER_CACHE,
      BELOW
    }
  }
}
