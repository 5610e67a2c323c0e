// SPDX-License-Identifier: Apache-2.0
/** File systems over a write log: of a scheme of their own, or as the default of the JVM. */
@NullMarked
package io.nvcache.writelog.nio;

import org.jspecify.annotations.NullMarked;
