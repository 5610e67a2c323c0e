// SPDX-License-Identifier: Apache-2.0
/** Measures how much writes hurt the readers of a medium, and what overhead that allows. */
@NullMarked
package io.nvcache.calibrate;

import org.jspecify.annotations.NullMarked;
