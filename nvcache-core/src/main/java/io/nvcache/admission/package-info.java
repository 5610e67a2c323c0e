// SPDX-License-Identifier: Apache-2.0
/** Decides which offered blocks are written to the medium. */
@NullMarked
package io.nvcache.admission;

import org.jspecify.annotations.NullMarked;
