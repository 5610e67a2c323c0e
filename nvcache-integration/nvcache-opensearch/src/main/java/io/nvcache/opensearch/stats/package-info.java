// SPDX-License-Identifier: Apache-2.0
/** The statistics of the caches of a cluster's nodes, by an action and over REST. */
@NullMarked
package io.nvcache.opensearch.stats;

import org.jspecify.annotations.NullMarked;
