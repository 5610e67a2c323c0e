// SPDX-License-Identifier: Apache-2.0
/** The caches that the benches compare, behind one interface. */
@NullMarked
package io.nvcache.bench.contender;

import org.jspecify.annotations.NullMarked;
