// SPDX-License-Identifier: Apache-2.0
/** What caches find again after a clean stop or a kill, and how soon. */
@NullMarked
package io.nvcache.bench.restart;

import org.jspecify.annotations.NullMarked;
