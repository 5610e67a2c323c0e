// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.files;

import io.nvcache.Source;
import io.nvcache.lucene.CacheRule;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.ReadOnceHint;

/**
 * What is known of reads before they come. Immutable.
 *
 * @param rule what the cache does for them
 * @param wantsDisk whether the bytes wanted are those on the disk
 * @param source what brings their blocks, as long as they don't turn out to be a scan
 */
public record ReadTerms(CacheRule rule, boolean wantsDisk, Source source) {
  /** Returns the terms of reads of a rule, as their context has them. */
  public static ReadTerms of(CacheRule rule, IOContext context) {
    Source source = context.hints().contains(DataAccessHint.SEQUENTIAL) ? Source.SCAN : Source.READ;
    return new ReadTerms(rule, wantsDisk(context), source);
  }

  /** Returns the same with another rule. */
  public ReadTerms with(CacheRule other) {
    return new ReadTerms(other, wantsDisk, source);
  }

  /** The rules are declared in the order of what they keep from the cache. */
  public static CacheRule stricter(CacheRule first, CacheRule second) {
    return first.compareTo(second) >= 0 ? first : second;
  }

  /**
   * Whether reads with this context come once, and are no merge's: of what a commit or a segment is
   * made of as it is opened, and of files that are checked or copied. They read the disk.
   */
  public static boolean wantsDisk(IOContext context) {
    return context.context() != IOContext.Context.MERGE
        && context.hints().contains(ReadOnceHint.INSTANCE);
  }

  static boolean isOnce(IOContext context) {
    return context.context() == IOContext.Context.MERGE
        || context.hints().contains(ReadOnceHint.INSTANCE);
  }
}
