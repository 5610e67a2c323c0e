// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

/**
 * The events that bytes survive once they are written and {@linkplain Medium#persist persisted}.
 */
public enum Durability {
  /** Nothing: the bytes end with the process. */
  NONE,
  /** The end of the process, not the loss of power. */
  PROCESS_CRASH,
  /** The loss of power. */
  POWER_FAIL
}
