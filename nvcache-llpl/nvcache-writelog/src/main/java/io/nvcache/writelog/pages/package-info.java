// SPDX-License-Identifier: Apache-2.0
/**
 * The pages of files whose newest bytes only the log has, where they are in it, and how they are
 * written to their files: for the engine, which defers writes, and for a recovery.
 */
@NullMarked
package io.nvcache.writelog.pages;

import org.jspecify.annotations.NullMarked;
