// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

/**
 * A block on its way to becoming a page.
 *
 * @param place where it lies
 * @param from who had it
 */
record Fetch(int place, From from) {
  /** Who can have a block. */
  enum From {
    TIER,
    BUFFER_CACHE,
    BELOW
  }
}
