// SPDX-License-Identifier: Apache-2.0
/**
 * What merges write, and the hot blocks that they carry over. Inside: may change in any release.
 */
@NullMarked
package io.nvcache.lucene.merges;

import org.jspecify.annotations.NullMarked;
