// SPDX-License-Identifier: Apache-2.0
/** What a node says of its cache. */
@NullMarked
package io.nvcache.cassandra.report;

import org.jspecify.annotations.NullMarked;
