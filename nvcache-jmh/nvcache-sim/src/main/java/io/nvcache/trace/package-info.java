// SPDX-License-Identifier: Apache-2.0
/** Replays block traces through the real cache, in virtual time and without the blocks' bytes. */
@NullMarked
package io.nvcache.trace;

import org.jspecify.annotations.NullMarked;
