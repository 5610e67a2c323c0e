// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

/** What becomes of the file of a medium, and of the cached bytes in it, when it is closed. */
public enum CloseAction {
  /** It stays. */
  KEEP,
  /** It is deleted. */
  DELETE,
  /** It is {@linkplain Wipe overwritten} and deleted; deleted also if it can't be overwritten. */
  WIPE
}
