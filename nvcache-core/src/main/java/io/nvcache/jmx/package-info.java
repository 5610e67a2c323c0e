// SPDX-License-Identifier: Apache-2.0
/** The management bean. */
@NullMarked
package io.nvcache.jmx;

import org.jspecify.annotations.NullMarked;
