// SPDX-License-Identifier: Apache-2.0
/** The Micrometer binder. */
@NullMarked
package io.nvcache.micrometer;

import org.jspecify.annotations.NullMarked;
