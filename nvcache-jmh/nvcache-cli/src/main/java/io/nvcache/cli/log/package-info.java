// SPDX-License-Identifier: Apache-2.0
/** The commands below {@code log}. */
@NullMarked
package io.nvcache.cli.log;

import org.jspecify.annotations.NullMarked;
