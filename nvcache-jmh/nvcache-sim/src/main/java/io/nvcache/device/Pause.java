// SPDX-License-Identifier: Apache-2.0
package io.nvcache.device;

/** A way to let time pass. */
@FunctionalInterface
interface Pause {
  /** Waits, for at most this long. */
  void pause(long nanos);
}
