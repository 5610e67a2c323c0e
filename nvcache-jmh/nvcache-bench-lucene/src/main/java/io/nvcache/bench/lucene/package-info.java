// SPDX-License-Identifier: Apache-2.0
/** The command {@code bench lucene}: ways to read an index, side by side. */
@NullMarked
package io.nvcache.bench.lucene;

import org.jspecify.annotations.NullMarked;
