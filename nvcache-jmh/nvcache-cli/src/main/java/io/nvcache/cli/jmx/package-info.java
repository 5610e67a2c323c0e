// SPDX-License-Identifier: Apache-2.0
/** The commands below {@code jmx}. */
@NullMarked
package io.nvcache.cli.jmx;

import org.jspecify.annotations.NullMarked;
