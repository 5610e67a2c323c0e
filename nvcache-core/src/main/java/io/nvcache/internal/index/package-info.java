// SPDX-License-Identifier: Apache-2.0
/** The index of blocks, and the files whose blocks it has. */
@NullMarked
package io.nvcache.internal.index;

import org.jspecify.annotations.NullMarked;
