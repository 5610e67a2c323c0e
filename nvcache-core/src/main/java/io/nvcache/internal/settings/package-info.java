// SPDX-License-Identifier: Apache-2.0
/** Live settings. */
@NullMarked
package io.nvcache.internal.settings;

import org.jspecify.annotations.NullMarked;
