// SPDX-License-Identifier: Apache-2.0
/**
 * Where block bytes live: the service-provider interface and the media of the core. What media in
 * files do to their file is in {@code medium.file}; several drives as one are {@code
 * medium.drives}.
 */
@NullMarked
package io.nvcache.medium;

import org.jspecify.annotations.NullMarked;
