// SPDX-License-Identifier: Apache-2.0
/**
 * Several drives as one medium: opening them, knowing them again by their labels, reading and
 * writing each, and continuing without one that is lost.
 *
 * <p>Of the package above, this one knows {@link io.nvcache.medium.Medium} and what its methods
 * name, and no medium.
 */
@NullMarked
package io.nvcache.medium.drives;

import org.jspecify.annotations.NullMarked;
