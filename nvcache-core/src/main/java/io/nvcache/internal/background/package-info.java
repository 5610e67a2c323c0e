// SPDX-License-Identifier: Apache-2.0
/** The threads of a cache, and what its rounds consist of. */
@NullMarked
package io.nvcache.internal.background;

import org.jspecify.annotations.NullMarked;
