// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;

/**
 * Thrown by a {@link Medium} that found no memory for its own buffer, or whose buffers are all in
 * use. It says nothing of the bytes: the read that it ends is a miss, the block stays cached, and
 * the medium in service.
 */
public final class NoDirectMemoryException extends IOException {
  private static final long serialVersionUID = 1;

  /**
   * Makes an exception for a pool of buffers that has none left.
   *
   * @param message what the memory was wanted for, and what helps
   */
  public NoDirectMemoryException(String message) {
    super(message);
  }

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
