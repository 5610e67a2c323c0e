// SPDX-License-Identifier: Apache-2.0
/**
 * The three changes to Cassandra's classes, and the check that those classes look as expected
 * before anything is changed.
 */
@NullMarked
package io.nvcache.cassandra.weave;

import org.jspecify.annotations.NullMarked;
