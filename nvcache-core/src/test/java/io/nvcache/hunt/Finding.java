// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

/** What no caller may bring about: a wrong byte, an undocumented exception, a leak, a hang. */
final class Finding extends AssertionError {
  private static final long serialVersionUID = 1L;

  Finding(String message) {
    super(message);
  }

  Finding(String message, Throwable cause) {
    super(message, cause);
  }
}
