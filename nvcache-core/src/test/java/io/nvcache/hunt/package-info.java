// SPDX-License-Identifier: Apache-2.0
/** Hunts for what a hostile caller can bring about; begin at {@link io.nvcache.hunt.HuntTest}. */
@NullMarked
package io.nvcache.hunt;

import org.jspecify.annotations.NullMarked;
