// SPDX-License-Identifier: Apache-2.0
/** Miniature caches on a sample of the keys: what other sizes and policies would do. */
@NullMarked
package io.nvcache.shadow;

import org.jspecify.annotations.NullMarked;
