// SPDX-License-Identifier: Apache-2.0
/** Files that are read ahead as they are opened. */
@NullMarked
package io.nvcache.hbase.prefetch;

import org.jspecify.annotations.NullMarked;
