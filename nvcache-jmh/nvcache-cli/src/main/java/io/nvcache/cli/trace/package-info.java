// SPDX-License-Identifier: Apache-2.0
/** The command {@code trace} and those below it. */
@NullMarked
package io.nvcache.cli.trace;

import org.jspecify.annotations.NullMarked;
