// SPDX-License-Identifier: Apache-2.0
/** Paired sampling: two sides in turn, their quartiles, and records of the result. */
@NullMarked
package io.nvcache.bench.sample;

import org.jspecify.annotations.NullMarked;
