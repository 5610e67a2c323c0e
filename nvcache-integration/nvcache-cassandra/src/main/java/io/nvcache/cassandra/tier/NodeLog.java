// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.tier;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of the node. Not to be touched before Cassandra has set up its logging, which the first
 * opened data file proves: Cassandra registers something before its first logger is made.
 */
public final class NodeLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.nvcache.cassandra");
  private static final AtomicBoolean FAILED = new AtomicBoolean();

  private NodeLog() {}

  public static void info(String line) {
    LOG.info(line);
  }

  public static void error(String line) {
    LOG.error(line);
  }

  /** The first failure of the cache in full; later ones are counted only. */
  static void failed(Throwable failure) {
    if (FAILED.compareAndSet(false, true)) {
      LOG.error(
          "NVCache failed at a read, which went to the file; further failures are counted",
          failure);
    }
  }
}
