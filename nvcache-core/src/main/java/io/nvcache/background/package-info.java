// SPDX-License-Identifier: Apache-2.0
/** Threads that continue, and logs that can't end them. */
@NullMarked
package io.nvcache.background;

import org.jspecify.annotations.NullMarked;
