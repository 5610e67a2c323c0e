// SPDX-License-Identifier: Apache-2.0
/** Settings of the agent, and what it may cache. */
@NullMarked
package io.nvcache.cassandra.settings;

import org.jspecify.annotations.NullMarked;
