// SPDX-License-Identifier: Apache-2.0
/** The command bench. */
@NullMarked
package io.nvcache.bench.cli;

import org.jspecify.annotations.NullMarked;
