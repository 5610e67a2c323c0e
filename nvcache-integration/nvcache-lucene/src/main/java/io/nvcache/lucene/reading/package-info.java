// SPDX-License-Identifier: Apache-2.0
/** Lucene's inputs, and the blocks that they are at. Inside: may change in any release. */
@NullMarked
package io.nvcache.lucene.reading;

import org.jspecify.annotations.NullMarked;
