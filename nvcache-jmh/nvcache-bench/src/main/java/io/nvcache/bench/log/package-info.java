// SPDX-License-Identifier: Apache-2.0
/** The command {@code log bench}: durable write logs against synced writes to a disk. */
@NullMarked
package io.nvcache.bench.log;

import org.jspecify.annotations.NullMarked;
