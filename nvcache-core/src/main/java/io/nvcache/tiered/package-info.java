// SPDX-License-Identifier: Apache-2.0
/**
 * A block cache of two tiers: DRAM in front of a {@link io.nvcache.BlockCache}, and the store's own
 * loader behind both. For stores without their own DRAM cache.
 */
@NullMarked
package io.nvcache.tiered;

import org.jspecify.annotations.NullMarked;
