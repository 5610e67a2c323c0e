// SPDX-License-Identifier: Apache-2.0
/** The command {@code reproduce}. */
@NullMarked
package io.nvcache.model.cli;

import org.jspecify.annotations.NullMarked;
