// SPDX-License-Identifier: Apache-2.0
package io.nvcache.background;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Writes to a log, for work that must not fail because its log does. An appender may throw, so may
 * the message of what is logged, and a heap that is full leaves no room for either: then the line
 * is lost, and the caller continues.
 *
 * <p>The parameters are few and fixed, so that a call needs no memory before it is safe.
 */
public final class SafeLog {
  private SafeLog() {}

  /** Writes a line at DEBUG, with what was thrown. */
  public static void debug(Logger log, String format, @Nullable Object first, Throwable failure) {
    try {
      log.debug(format, first, failure);
    } catch (RuntimeException | Error unheard) {
      // There is nowhere left to say it.
    }
  }

  /** Writes a line at INFO. */
  public static void info(Logger log, String format, @Nullable Object first) {
    try {
      log.info(format, first);
    } catch (RuntimeException | Error unheard) {
      // There is nowhere left to say it.
    }
  }

  /** Writes a line at WARN. */
  public static void warn(
      Logger log, String format, @Nullable Object first, @Nullable Object second) {
    try {
      log.warn(format, first, second);
    } catch (RuntimeException | Error unheard) {
      // There is nowhere left to say it.
    }
  }

  /** Writes a line at ERROR, with what was thrown. */
  public static void error(
      Logger log,
      String format,
      @Nullable Object first,
      @Nullable Object second,
      Throwable failure) {
    try {
      log.error(format, first, second, failure);
    } catch (RuntimeException | Error unheard) {
      // There is nowhere left to say it.
    }
  }
}
