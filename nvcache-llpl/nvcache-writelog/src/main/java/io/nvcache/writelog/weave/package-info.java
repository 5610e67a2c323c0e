// SPDX-License-Identifier: Apache-2.0
/** Weaves calls of {@link io.nvcache.writelog.woven} into the JDK's file classes. */
@NullMarked
package io.nvcache.writelog.weave;

import org.jspecify.annotations.NullMarked;
