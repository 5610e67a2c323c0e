// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import io.nvcache.Source;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.store.DataAccessHint;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IOContext.FileOpenHint;
import org.apache.lucene.store.ReadOnceHint;

/**
 * Which {@link CacheRule} holds for a file: the one of its extension, and within that what the
 * context of its reads says. Immutable.
 */
final class FileRules {
  /** The class of files without an extension, such as {@code segments_1}. */
  static final String NO_EXTENSION = "none";

  /** The class of files that hold all files of a segment. */
  static final String COMPOUND = "cfs";

  /** The class of the file that describes a segment, written after all others. */
  static final String SEGMENT_INFO = "si";

  /** The class of files that a flush or a merge writes for itself, and deletes as it ends. */
  static final String TEMPORARY = "tmp";

  private final Map<String, CacheRule> byExtension;
  private final Map<FileOpenHint, CacheRule> byHint;

  FileRules(Map<String, CacheRule> byExtension, Map<FileOpenHint, CacheRule> byHint) {
    this.byExtension = Map.copyOf(byExtension);
    this.byHint = Map.copyOf(byHint);
  }

  /**
   * Returns the extension of a file in lower case, or {@link #NO_EXTENSION}. It begins at the last
   * dot, unlike Lucene's: temporary files with names such as {@code _0.fdt__5.tmp} would make a
   * class each.
   */
  static String fileClass(String fileName) {
    String extension = fileName.substring(fileName.lastIndexOf('.') + 1);
    return extension.isEmpty() || extension.length() == fileName.length()
        ? NO_EXTENSION
        : extension.toLowerCase(Locale.ROOT);
  }

  CacheRule rule(String fileClass, IOContext context) {
    return rule(byExtension.getOrDefault(fileClass, CacheRule.CACHE), context);
  }

  /** Returns what a file that parts lie in keeps from the cache of them: nothing, by default. */
  CacheRule ruleForParts(String fileClass, IOContext context) {
    return rule(byExtension.getOrDefault(fileClass, CacheRule.IMPORTANT), context);
  }

  private CacheRule rule(CacheRule ofClass, IOContext context) {
    CacheRule rule = ofClass;
    if (!byHint.isEmpty()) {
      for (FileOpenHint hint : context.hints()) {
        rule = stricter(rule, byHint.getOrDefault(hint, CacheRule.IMPORTANT));
      }
    }
    return isOnce(context) ? stricter(rule, CacheRule.ONCE) : rule;
  }

  /** The rules are declared in the order of what they keep from the cache. */
  static CacheRule stricter(CacheRule first, CacheRule second) {
    return first.compareTo(second) >= 0 ? first : second;
  }

  /**
   * Whether reads with this context come once, and are no merge's: of what a commit or a segment is
   * made of as it is opened, and of files that are checked or copied. They read the disk.
   */
  static boolean wantsDisk(IOContext context) {
    return context.context() != IOContext.Context.MERGE
        && context.hints().contains(ReadOnceHint.INSTANCE);
  }

  private static boolean isOnce(IOContext context) {
    return context.context() == IOContext.Context.MERGE
        || context.hints().contains(ReadOnceHint.INSTANCE);
  }

  /** What brings the blocks of such reads, as long as they don't turn out to be a scan. */
  static Source source(IOContext context) {
    return context.hints().contains(DataAccessHint.SEQUENTIAL) ? Source.SCAN : Source.READ;
  }

  /** Whether the calling thread is one of Lucene's that merge, also before it writes anything. */
  static boolean isMergeThread() {
    return MergeThreads.include(Thread.currentThread());
  }

  /** Sees the class of Lucene's merge threads, which only its subclasses may name. */
  private abstract static class MergeThreads extends ConcurrentMergeScheduler {
    static boolean include(Thread thread) {
      return thread instanceof MergeThread;
    }
  }
}
