// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

import java.lang.ref.Cleaner;
import org.jspecify.annotations.Nullable;

/**
 * The cleaner of all caches, and its thread. Made when it is first needed and not with a class: for
 * want of a thread that fails, and a class whose initialization failed once is lost for good.
 */
public final class SharedCleaner {
  private static @Nullable Cleaner cleaner;

  private SharedCleaner() {}

  /** Has an action run once an object is unreachable; the action must not reference it. */
  public static synchronized Cleaner.Cleanable register(Object object, Runnable action) {
    Cleaner present = cleaner;
    if (present == null) {
      present = Cleaner.create();
      cleaner = present;
    }
    return present.register(object, action);
  }
}
