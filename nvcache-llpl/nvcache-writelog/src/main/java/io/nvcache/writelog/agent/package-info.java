// SPDX-License-Identifier: Apache-2.0
/**
 * The Java agent's entry, at the root of the agent jar. Everything else is in a folder that a class
 * its own loader reads.
 */
@NullMarked
package io.nvcache.writelog.agent;

import org.jspecify.annotations.NullMarked;
