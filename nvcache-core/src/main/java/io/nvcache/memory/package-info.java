// SPDX-License-Identifier: Apache-2.0
/** The only code that touches raw memory. */
@NullMarked
package io.nvcache.memory;

import org.jspecify.annotations.NullMarked;
