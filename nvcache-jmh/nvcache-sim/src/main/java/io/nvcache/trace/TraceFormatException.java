// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.io.IOException;

/** A trace file is not what it should be. The message says where and what is wrong. */
public final class TraceFormatException extends IOException {
  private static final long serialVersionUID = 1L;

  TraceFormatException(String message) {
    super(message);
  }
}
