// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.reading;

import io.nvcache.BlockCache;
import io.nvcache.Source;
import io.nvcache.lucene.CacheRule;
import io.nvcache.lucene.files.OpenedFile;
import io.nvcache.lucene.files.ReadTerms;
import io.nvcache.lucene.loads.CachedAhead;
import io.nvcache.lucene.loads.DelegateReads;
import io.nvcache.lucene.merges.MergeOutputs;
import io.nvcache.lucene.merges.MergedHeat;
import java.io.IOException;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;

/** What the inputs of all files of a cache read by. Thread-safe. */
public final class Reading implements AutoCloseable {
  private final CurrentBlocks places;
  private final DelegateReads loads;
  private final CachedAhead ahead;
  private final MergedHeat heat;
  private final MergeOutputs merges = new MergeOutputs();
  private final long readAheadBytes;

  /**
   * Begins with no input.
   *
   * @param places how many blocks the inputs may hold at one time
   * @param loads closed with this
   * @param readAheadBytes what one request to the delegate brings where a scan misses
   */
  public Reading(BlockCache blocks, int places, DelegateReads loads, long readAheadBytes) {
    this.places = new CurrentBlocks(blocks, places);
    this.loads = loads;
    this.ahead = new CachedAhead(blocks);
    this.heat = new MergedHeat(loads);
    this.readAheadBytes = readAheadBytes;
  }

  /** Makes the input of a file that was just opened, which closes the file. */
  public IndexInput open(OpenedFile file, ReadTerms terms) {
    if (terms.rule().compareTo(CacheRule.ONCE) < 0) {
      heat.add(file);
    }
    if (terms.wantsDisk() && !merges.isMerging()) {
      file.fileClass().bypassedOpens.increment();
    }
    return new CachedIndexInput(this, file, terms);
  }

  /** Closes a file, and gives back what its inputs hold; more than once, if need be. */
  void close(OpenedFile file) throws IOException {
    if (file.end()) { // Before the release: an input that is in its place looks here as it leaves.
      places.release(file);
      ahead.forget(file);
      heat.remove(file);
      file.close();
    }
  }

  /**
   * Prepares for reads that Lucene announces.
   *
   * @param source what blocks are offered as that no reader takes; null to offer none
   */
  void prefetch(OpenedFile file, long from, long until, @Nullable Source source) {
    if (source != null && ahead.isOfUse()) {
      ahead.announce(file, from, until);
    }
    if (file.isPrefetchDue() && loads.prefetch(file, from, until, source)) {
      file.noteMissing();
    }
  }

  CurrentBlocks places() {
    return places;
  }

  public DelegateReads loads() {
    return loads;
  }

  CachedAhead ahead() {
    return ahead;
  }

  public MergedHeat heat() {
    return heat;
  }

  public MergeOutputs merges() {
    return merges;
  }

  long readAheadBytes() {
    return readAheadBytes;
  }

  /** Gives back what all inputs hold, except for those that are in their places now. */
  public void releaseAll() {
    places.releaseAll();
  }

  /** Ends what is read ahead, and gives back what all inputs hold; open inputs continue. */
  @Override
  public void close() {
    loads.close();
    ahead.close();
    places.releaseAll();
  }
}
