// SPDX-License-Identifier: Apache-2.0
/**
 * What a name of a directory means, how its file is cut into blocks, and what its class and the
 * context of its reads say. Inside: may change in any release.
 */
@NullMarked
package io.nvcache.lucene.files;

import org.jspecify.annotations.NullMarked;
