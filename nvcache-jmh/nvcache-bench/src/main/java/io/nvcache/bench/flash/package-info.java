// SPDX-License-Identifier: Apache-2.0
/** Hits on flash next to bare direct reads of the same drive. */
@NullMarked
package io.nvcache.bench.flash;

import org.jspecify.annotations.NullMarked;
