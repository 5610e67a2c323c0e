// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

import java.io.IOException;

/**
 * Says that a medium now belongs to another cache, or was overwritten. The cache that gets it from
 * {@link Medium#check} leaves service until an operator says otherwise.
 */
public final class MediumLostException extends IOException {
  private static final long serialVersionUID = 1L;

  /** Says who took the medium, and what to do. */
  public MediumLostException(String message) {
    super(message);
  }
}
