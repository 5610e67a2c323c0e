// SPDX-License-Identifier: Apache-2.0
/**
 * Performance of the cache: plain JMH benchmarks, and the paired comparison with other caches and
 * with what memory itself allows.
 */
@NullMarked
package io.nvcache.bench;

import org.jspecify.annotations.NullMarked;
