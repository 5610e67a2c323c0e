// SPDX-License-Identifier: Apache-2.0
/** Evictions, invalidations and reclaiming. */
@NullMarked
package io.nvcache.internal.remove;

import org.jspecify.annotations.NullMarked;
