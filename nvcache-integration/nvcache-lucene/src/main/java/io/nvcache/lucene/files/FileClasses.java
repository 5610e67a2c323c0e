// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.files;

import io.nvcache.lucene.CacheRule;
import io.nvcache.lucene.FileClassCounts;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IOContext.FileOpenHint;

/** The classes of files that a cache has seen, and their rules. Thread-safe. */
public final class FileClasses {
  /** The class of files without an extension, such as {@code segments_1}. */
  public static final String NO_EXTENSION = "none";

  /** The class of files that hold all files of a segment. */
  public static final String COMPOUND = "cfs";

  /** The class of the file that describes a segment, written after all others. */
  public static final String SEGMENT_INFO = "si";

  /** The class of files that a flush or a merge writes for itself, and deletes as it ends. */
  public static final String TEMPORARY = "tmp";

  private final Map<String, CacheRule> byExtension;
  private final Map<FileOpenHint, CacheRule> byHint;
  private final ConcurrentMap<String, FileClass> classes = new ConcurrentHashMap<>();
  private final List<Consumer<FileClass>> listeners = new CopyOnWriteArrayList<>();

  public FileClasses(Map<String, CacheRule> byExtension, Map<FileOpenHint, CacheRule> byHint) {
    this.byExtension = Map.copyOf(byExtension);
    this.byHint = Map.copyOf(byHint);
  }

  /**
   * Returns the extension of a file in lower case, or {@link #NO_EXTENSION}. It begins at the last
   * dot, unlike Lucene's: temporary files with names such as {@code _0.fdt__5.tmp} would make a
   * class each.
   */
  public static String nameOf(String fileName) {
    String extension = fileName.substring(fileName.lastIndexOf('.') + 1);
    return extension.isEmpty() || extension.length() == fileName.length()
        ? NO_EXTENSION
        : extension.toLowerCase(Locale.ROOT);
  }

  /** Returns the class of a file. */
  public FileClass of(String fileName) {
    String name = nameOf(fileName);
    FileClass known = classes.get(name);
    if (known != null) {
      return known;
    }
    FileClass fresh = classes.computeIfAbsent(name, absent -> new FileClass(absent, this));
    listeners.forEach(listener -> listener.accept(fresh));
    return fresh;
  }

  /** Has a listener see all classes there are and all to come; some perhaps twice. */
  public void each(Consumer<FileClass> listener) {
    listeners.add(listener);
    classes.values().forEach(listener);
  }

  /** Returns a snapshot of the counters, by the name of the class. */
  public Map<String, FileClassCounts> counts() {
    Map<String, FileClassCounts> counts = new TreeMap<>();
    classes.forEach((name, fileClass) -> counts.put(name, fileClass.counts()));
    return counts;
  }

  /** Returns the rule for a class, or the one given if it has none, within the context's. */
  CacheRule rule(String name, CacheRule otherwise, IOContext context) {
    CacheRule rule = byExtension.getOrDefault(name, otherwise);
    if (!byHint.isEmpty()) {
      for (FileOpenHint hint : context.hints()) {
        rule = ReadTerms.stricter(rule, byHint.getOrDefault(hint, CacheRule.IMPORTANT));
      }
    }
    return ReadTerms.isOnce(context) ? ReadTerms.stricter(rule, CacheRule.ONCE) : rule;
  }
}
