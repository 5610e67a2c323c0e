// SPDX-License-Identifier: Apache-2.0
/** The command line: options in, tables, reports and exit codes out. */
@NullMarked
package io.nvcache.cli;

import org.jspecify.annotations.NullMarked;
