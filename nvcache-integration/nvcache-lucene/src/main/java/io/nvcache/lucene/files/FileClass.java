// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.files;

import io.nvcache.lucene.CacheRule;
import io.nvcache.lucene.FileClassCounts;
import java.util.concurrent.atomic.LongAdder;
import org.apache.lucene.store.IOContext;

/** All files with one extension: their rule and their counters. Thread-safe, striped. */
public final class FileClass {
  private final String name;
  private final FileClasses all;
  public final LongAdder hits = new LongAdder();
  public final LongAdder offeredMisses = new LongAdder();
  public final LongAdder onceMisses = new LongAdder();
  public final LongAdder bypassedOpens = new LongAdder();

  FileClass(String name, FileClasses all) {
    this.name = name;
    this.all = all;
  }

  public String name() {
    return name;
  }

  /** Returns the rule for reads of a file. */
  public CacheRule rule(IOContext context) {
    return all.rule(name, CacheRule.CACHE, context);
  }

  /** Returns what a file that parts lie in keeps from the cache of them: nothing, by default. */
  CacheRule ruleOfParts(IOContext context) {
    return all.rule(name, CacheRule.IMPORTANT, context);
  }

  /** Returns the class of another file, which lies in one of this class. */
  FileClass ofPart(String fileName) {
    return all.of(fileName);
  }

  /** Returns a snapshot of the counters. */
  public FileClassCounts counts() {
    long once = onceMisses.sum();
    // The sum is made here, so that what it has beyond the misses of one kind never goes down.
    long misses = offeredMisses.sum() + once;
    return new FileClassCounts(hits.sum(), misses, once, bypassedOpens.sum());
  }
}
