// SPDX-License-Identifier: Apache-2.0
/** The commands {@code reproduce} and {@code whatif}. */
@NullMarked
package io.nvcache.model.cli;

import org.jspecify.annotations.NullMarked;
