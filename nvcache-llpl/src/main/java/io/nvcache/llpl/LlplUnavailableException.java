// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import java.io.IOException;

/** LLPL can't work on this machine at all, whatever the path: another medium can. */
public final class LlplUnavailableException extends IOException {
  private static final long serialVersionUID = 1;

  LlplUnavailableException(String message) {
    super(message);
  }
}
