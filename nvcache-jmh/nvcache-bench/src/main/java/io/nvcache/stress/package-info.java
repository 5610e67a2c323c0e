// SPDX-License-Identifier: Apache-2.0
/** A long, random, self-checking run of a cache whose medium misbehaves. */
@NullMarked
package io.nvcache.stress;

import org.jspecify.annotations.NullMarked;
