// SPDX-License-Identifier: Apache-2.0
/** Caches in other processes, reached over JMX. */
@NullMarked
package io.nvcache.remote;

import org.jspecify.annotations.NullMarked;
