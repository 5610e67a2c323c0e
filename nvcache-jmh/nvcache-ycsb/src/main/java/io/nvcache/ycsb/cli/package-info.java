// SPDX-License-Identifier: Apache-2.0
/** The command ycsb and its options. */
@NullMarked
package io.nvcache.ycsb.cli;

import org.jspecify.annotations.NullMarked;
