// SPDX-License-Identifier: Apache-2.0
/**
 * What operators and hosts manage a cache by, from {@link io.nvcache.BlockCache#control}: live
 * settings, health and conditions, the ledger, shadows and tuning, and walks over its blocks.
 */
@NullMarked
package io.nvcache.control;

import org.jspecify.annotations.NullMarked;
