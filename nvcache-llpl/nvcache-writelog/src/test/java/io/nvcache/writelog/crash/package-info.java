// SPDX-License-Identifier: Apache-2.0
/** Emulated crashes, of the log's memory and of the disk: proof that a user can repeat. */
@NullMarked
package io.nvcache.writelog.crash;

import org.jspecify.annotations.NullMarked;
