// SPDX-License-Identifier: Apache-2.0
/**
 * A durable write log for JVM programs, after NVCache of DSN '21: a write is in the log when it
 * returns, and reaches its file in the background. {@link io.nvcache.writelog.WriteLog} opens one.
 */
@NullMarked
package io.nvcache.writelog;

import org.jspecify.annotations.NullMarked;
