// SPDX-License-Identifier: Apache-2.0
/**
 * The only code that touches raw memory. Not for users of the cache: {@link
 * io.nvcache.memory.RawMemory} follows addresses that nothing checks, so that a wrong one ends the
 * JVM.
 */
@NullMarked
package io.nvcache.memory;

import org.jspecify.annotations.NullMarked;
