// SPDX-License-Identifier: Apache-2.0
/** File systems over a write log: with their own scheme, or as the default of the JVM. */
@NullMarked
package io.nvcache.writelog.nio;

import org.jspecify.annotations.NullMarked;
