// SPDX-License-Identifier: Apache-2.0
/** A medium in persistent memory, allocated by Intel's LLPL over PMDK. */
@NullMarked
package io.nvcache.llpl;

import org.jspecify.annotations.NullMarked;
