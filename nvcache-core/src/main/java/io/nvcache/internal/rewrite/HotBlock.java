// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.rewrite;

/**
 * A block that a rewrite wrote.
 *
 * @param heat the lookups that it is expected to have had lately; more than 0
 */
record HotBlock(long fileId, long offset, int lengthBytes, double heat) {}
