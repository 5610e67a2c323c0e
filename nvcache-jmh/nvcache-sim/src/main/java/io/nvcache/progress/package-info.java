// SPDX-License-Identifier: Apache-2.0
/** How a long run shows how far it is, and how it is asked to end. */
@NullMarked
package io.nvcache.progress;

import org.jspecify.annotations.NullMarked;
