// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;

/**
 * Says that a medium can be read and not written. A cache that gets it reads on, and writes nothing
 * until {@link Medium#check} no longer throws it.
 */
public final class ReadOnlyMediumException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says why nothing can be written, and what to do. */
  public ReadOnlyMediumException(String message, Throwable cause) {
    super(message, cause);
  }
}
