// SPDX-License-Identifier: Apache-2.0
/** The tuning of the overhead target. */
@NullMarked
package io.nvcache.internal.tune;

import org.jspecify.annotations.NullMarked;
