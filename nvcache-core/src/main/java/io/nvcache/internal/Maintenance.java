// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

/** Who runs a cache's background work, and when. */
interface Maintenance extends AutoCloseable {
  /** Left to the cache's owner, who calls {@code maintain}. */
  Maintenance BY_CALLER =
      new Maintenance() {
        @Override
        public void start(Runnable work) {}

        @Override
        public void wake() {}

        @Override
        public void close() {}
      };

  /** Begins to run the work from time to time. Called once. */
  void start(Runnable work);

  /** Asks for the work to be run soon. Never blocks. */
  void wake();

  /** Ends the work; it does not run after this returns. */
  @Override
  void close();
}
