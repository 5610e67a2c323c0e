// SPDX-License-Identifier: Apache-2.0
/**
 * Blocks on their way: reads of delegates and lookups in batches, shared by all who want the same
 * block. Inside: may change in any release.
 */
@NullMarked
package io.nvcache.lucene.loads;

import org.jspecify.annotations.NullMarked;
