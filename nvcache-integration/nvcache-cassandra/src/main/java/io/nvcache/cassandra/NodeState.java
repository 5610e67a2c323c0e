// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

/** Where the cache of a node is in its life. */
enum NodeState {
  /** No file to cache was opened yet. */
  WAITING,
  /** The medium is being prepared; reads go to the files. */
  STARTING,
  /** Reads are served. */
  SERVING,
  /** Switched off over JMX; reads go to the files. */
  PAUSED,
  /** This node has no cache, and the log says why. */
  REFUSED
}
