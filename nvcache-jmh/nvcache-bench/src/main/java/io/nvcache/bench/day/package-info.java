// SPDX-License-Identifier: Apache-2.0
/** A day of a region server with each second level: reads, a scan, restarts, a compaction. */
@NullMarked
package io.nvcache.bench.day;

import org.jspecify.annotations.NullMarked;
