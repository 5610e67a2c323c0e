// SPDX-License-Identifier: Apache-2.0
/**
 * One file or block device that a medium lies on: opening and locking it, the mark that says whose
 * it is, filling and wiping it, and reading and writing it past the page cache or through a
 * mapping.
 *
 * <p>Of the package above, this one knows the choices that callers make, the batches that they read
 * and the exceptions that they catch, and no medium.
 */
@NullMarked
package io.nvcache.medium.file;

import org.jspecify.annotations.NullMarked;
