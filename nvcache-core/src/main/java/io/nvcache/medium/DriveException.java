// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A read or a write failed on one of the {@linkplain DriveSet drives} of a medium, while others
 * serve. It says nothing against the medium as a whole. Has no stack trace: reads of a drive that
 * is lost throw it as often as they come.
 */
public final class DriveException extends IOException {
  private static final long serialVersionUID = 1;

  /** Says which drive it was, and what is wrong with it. */
  public DriveException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  @Override
  @SuppressWarnings("UnsynchronizedOverridesSynchronized") // It fills in nothing.
  public Throwable fillInStackTrace() {
    return this;
  }
}
