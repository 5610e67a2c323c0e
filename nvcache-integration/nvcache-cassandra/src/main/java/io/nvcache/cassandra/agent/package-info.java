// SPDX-License-Identifier: Apache-2.0
/**
 * What is at the root of the agent jar, where Cassandra's own classes can see it: the entry point,
 * the class loader that hides the rest, and the few types that the woven code refers to. Nothing
 * here may use a library, and nothing may refer to a class outside this package.
 */
@NullMarked
package io.nvcache.cassandra.agent;

import org.jspecify.annotations.NullMarked;
