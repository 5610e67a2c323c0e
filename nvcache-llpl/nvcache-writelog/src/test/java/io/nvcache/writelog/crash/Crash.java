// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

/** The power is gone: an error, so that nothing between takes it for a failure of the disk. */
final class Crash extends Error {
  private static final long serialVersionUID = 1;

  Crash() {
    super("the emulated power is gone", null, false, false);
  }
}
