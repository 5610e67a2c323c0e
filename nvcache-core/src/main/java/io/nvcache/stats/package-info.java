// SPDX-License-Identifier: Apache-2.0
/** Striped, allocation-free counters. */
@NullMarked
package io.nvcache.stats;

import org.jspecify.annotations.NullMarked;
