// SPDX-License-Identifier: Apache-2.0
/**
 * HBase's own load generators against a standalone server, with NVCache, BucketCache or nothing as
 * its second level.
 */
@NullMarked
package io.nvcache.bench.clients;

import org.jspecify.annotations.NullMarked;
