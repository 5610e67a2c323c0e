// SPDX-License-Identifier: Apache-2.0
/**
 * The format of a log in its memory, and of an orphan in its file: the layout of the whole, the
 * lanes and their records, the table of files. Knows memory only as {@link
 * io.nvcache.writelog.format.LogRegion}, and nothing of who writes or recovers.
 */
@NullMarked
package io.nvcache.writelog.format;

import org.jspecify.annotations.NullMarked;
