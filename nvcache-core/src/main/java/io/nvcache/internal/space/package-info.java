// SPDX-License-Identifier: Apache-2.0
/** Where blocks are, and the door behind which they are placed in slots or in regions. */
@NullMarked
package io.nvcache.internal.space;

import org.jspecify.annotations.NullMarked;
