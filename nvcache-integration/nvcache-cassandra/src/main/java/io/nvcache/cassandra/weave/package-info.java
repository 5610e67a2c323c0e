// SPDX-License-Identifier: Apache-2.0
/**
 * The changes to Cassandra's classes, three for the reads and five for the heat of compactions, and
 * the check that those classes look as expected before anything is changed.
 */
@NullMarked
package io.nvcache.cassandra.weave;

import org.jspecify.annotations.NullMarked;
