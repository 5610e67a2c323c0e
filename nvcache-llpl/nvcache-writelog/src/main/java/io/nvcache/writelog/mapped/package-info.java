// SPDX-License-Identifier: Apache-2.0
/**
 * The memory of a log as a mapped file: who may open it, how one is made, and how its bytes become
 * durable where it lies.
 */
@NullMarked
package io.nvcache.writelog.mapped;

import org.jspecify.annotations.NullMarked;
