// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

/** The fate of a medium's file, and of the cached bytes in it, when it is closed. */
public enum CloseAction {
  /** It stays. */
  KEEP,
  /** It is deleted. */
  DELETE,
  /** It is {@linkplain Wipe overwritten} and deleted; deleted also if it can't be overwritten. */
  WIPE
}
