// SPDX-License-Identifier: Apache-2.0
/** Hot blocks, carried over compactions. */
@NullMarked
package io.nvcache.hbase.compaction;

import org.jspecify.annotations.NullMarked;
