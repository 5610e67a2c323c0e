// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

/** Who runs a cache's background work, and when. */
interface Maintenance {
  /** Left to the cache's owner, who calls {@code maintain}. */
  Maintenance BY_CALLER =
      new Maintenance() {
        @Override
        public void start(Runnable work) {}

        @Override
        public void wake() {}

        @Override
        public void end() {}

        @Override
        public boolean awaitEnd(long nanos) {
          return true;
        }
      };

  /** Begins to run the work from time to time. Called once. */
  void start(Runnable work);

  /** Asks for the work to be run soon. Never blocks. */
  void wake();

  /** Asks for the work not to be begun again. Never blocks. */
  void end();

  /**
   * Waits until the work has ended for good.
   *
   * @return whether it has within the time given; at once false to the work itself, which can't
   *     wait for its own end
   */
  boolean awaitEnd(long nanos);
}
