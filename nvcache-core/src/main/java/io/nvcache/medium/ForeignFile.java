// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium;

/** The treatment of a file that holds something no cache is known to have written. */
public enum ForeignFile {
  /** It stays as it is, and the medium is not opened. */
  REFUSED,
  /** It is overwritten: whoever names it knows what it holds. */
  OVERWRITTEN
}
