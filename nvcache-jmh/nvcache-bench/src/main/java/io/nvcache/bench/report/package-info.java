// SPDX-License-Identifier: Apache-2.0
/** The page of the comparison with raw memory and with other caches. */
@NullMarked
package io.nvcache.bench.report;

import org.jspecify.annotations.NullMarked;
