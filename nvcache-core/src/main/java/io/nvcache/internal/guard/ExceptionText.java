// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.guard;

import org.jspecify.annotations.Nullable;

/** Puts what was thrown into words, though the code that says them may be another's and throw. */
public final class ExceptionText {
  private ExceptionText() {}

  /** Its message; its class where there is none. */
  public static String of(Throwable failure) {
    try {
      String message = failure.getMessage();
      return message == null ? failure.getClass().getName() : message;
    } catch (RuntimeException | Error silent) {
      return failure.getClass().getName();
    }
  }

  /** Its class and message, after other words; these alone if there is nothing to add. */
  static String after(String words, @Nullable Throwable failure) {
    try {
      return failure == null ? words : words + ": " + failure;
    } catch (RuntimeException | Error silent) {
      return words;
    }
  }
}
