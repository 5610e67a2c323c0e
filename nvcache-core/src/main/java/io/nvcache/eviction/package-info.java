// SPDX-License-Identifier: Apache-2.0
/** Decides which cached block gives way. */
@NullMarked
package io.nvcache.eviction;

import org.jspecify.annotations.NullMarked;
