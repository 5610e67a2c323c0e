// SPDX-License-Identifier: Apache-2.0
/** A read-only directory over an object store, where each request costs time. */
@NullMarked
package io.nvcache.lucene.remote;

import org.jspecify.annotations.NullMarked;
