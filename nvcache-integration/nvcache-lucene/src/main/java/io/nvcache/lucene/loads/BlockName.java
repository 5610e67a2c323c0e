// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.loads;

/** A block of one incarnation of a file. */
record BlockName(long fileId, long offset) {}
