// SPDX-License-Identifier: Apache-2.0

/** Small programs that embed the cache, each complete; docs/start/embed.md shows them. */
@NullMarked
package io.nvcache.examples;

import org.jspecify.annotations.NullMarked;
