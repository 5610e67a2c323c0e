// SPDX-License-Identifier: Apache-2.0
/**
 * Blocks in regions of the medium, which are appended to and emptied as a whole: their log, their
 * format, and the work on them.
 */
@NullMarked
package io.nvcache.internal.regions;

import org.jspecify.annotations.NullMarked;
