// SPDX-License-Identifier: Apache-2.0
/** A plug-in for OpenSearch 3 that reads warm indices through the cache. */
@NullMarked
package io.nvcache.opensearch;

import org.jspecify.annotations.NullMarked;
