// SPDX-License-Identifier: Apache-2.0
/** A Lucene {@link org.apache.lucene.store.Directory} that caches blocks of another one's files. */
@NullMarked
package io.nvcache.lucene;

import org.jspecify.annotations.NullMarked;
