// SPDX-License-Identifier: Apache-2.0
/** The bytes of the medium: which are taken, by whom, and how they are read and written. */
@NullMarked
package io.nvcache.internal.space;

import org.jspecify.annotations.NullMarked;
