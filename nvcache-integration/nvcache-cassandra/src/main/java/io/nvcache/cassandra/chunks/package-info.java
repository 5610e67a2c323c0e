// SPDX-License-Identifier: Apache-2.0
/** How chunks are read, and carried over compactions. */
@NullMarked
package io.nvcache.cassandra.chunks;

import org.jspecify.annotations.NullMarked;
