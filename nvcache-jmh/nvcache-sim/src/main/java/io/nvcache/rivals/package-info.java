// SPDX-License-Identifier: Apache-2.0
/** Policies of other caches, to compare with; each names its source. */
@NullMarked
package io.nvcache.rivals;

import org.jspecify.annotations.NullMarked;
