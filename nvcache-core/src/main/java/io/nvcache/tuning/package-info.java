// SPDX-License-Identifier: Apache-2.0
/** Finds the overhead target that suits a medium and a load. */
@NullMarked
package io.nvcache.tuning;

import org.jspecify.annotations.NullMarked;
