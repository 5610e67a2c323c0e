// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

/**
 * What the DRAM tier did since the store was loaded, reset or given its second tier.
 *
 * @param hits block reads it answered
 * @param misses block reads it passed on
 * @param bytes heap that it takes now
 */
public record DramTierStats(long hits, long misses, long bytes) {}
