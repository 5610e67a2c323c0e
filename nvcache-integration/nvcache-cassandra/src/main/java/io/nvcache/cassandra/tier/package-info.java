// SPDX-License-Identifier: Apache-2.0
/** The second tier of a node: its cache, and the files that are cached. */
@NullMarked
package io.nvcache.cassandra.tier;

import org.jspecify.annotations.NullMarked;
