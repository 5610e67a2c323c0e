// SPDX-License-Identifier: Apache-2.0
/** Blocks in slots of the medium, written in place. */
@NullMarked
package io.nvcache.internal.slots;

import org.jspecify.annotations.NullMarked;
