// SPDX-License-Identifier: Apache-2.0
/**
 * NVCache under the SSTable reads of an unmodified Cassandra 5.0 node.
 *
 * <p>{@link io.nvcache.cassandra.NodeStart} is called by the agent before the node starts; {@link
 * io.nvcache.cassandra.settings.NodeSettings} lists the settings. All of this package is loaded by
 * its own class loader (see {@code io.nvcache.cassandra.agent}).
 */
@NullMarked
package io.nvcache.cassandra;

import org.jspecify.annotations.NullMarked;
