// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;

/**
 * Thrown by a {@link Medium} that found no direct memory for a buffer of its own. It says nothing
 * of the bytes: the read that it ends is a miss, the block stays cached, and the medium in service.
 */
public final class NoDirectMemoryException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * Makes an exception.
   *
   * @param message what the memory was wanted for, and what helps
   * @param cause what the JVM said
   */
  public NoDirectMemoryException(String message, OutOfMemoryError cause) {
    super(message, cause);
  }
}
