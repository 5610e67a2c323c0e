// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

/** The stage of life of a node's cache. */
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
