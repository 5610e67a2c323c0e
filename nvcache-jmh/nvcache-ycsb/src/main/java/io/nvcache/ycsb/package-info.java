// SPDX-License-Identifier: Apache-2.0
/** YCSB's core workloads on a store with and without a second tier, policy next to policy. */
@NullMarked
package io.nvcache.ycsb;

import org.jspecify.annotations.NullMarked;
