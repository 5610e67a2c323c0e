// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.loads;

/** What runs on the threads that read ahead of demand. */
public interface PoolTask extends Runnable {
  /** Called instead of {@link #run} where there is no room for it any more. */
  void cancel();
}
