// SPDX-License-Identifier: Apache-2.0
/** The gate between a cache and its callers: who is inside, and the callers' buffers. */
@NullMarked
package io.nvcache.internal.gate;

import org.jspecify.annotations.NullMarked;
