// SPDX-License-Identifier: Apache-2.0
/** What the agent is told, and what it may cache. */
@NullMarked
package io.nvcache.cassandra.settings;

import org.jspecify.annotations.NullMarked;
