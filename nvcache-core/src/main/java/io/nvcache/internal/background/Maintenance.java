// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.background;

import io.nvcache.background.Ending;

/** Schedules a cache's background work: on its own thread, or when its owner calls. */
public interface Maintenance extends Ending {
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

        @Override
        public String whereabouts() {
          return "the cache's owner is to call maintain";
        }
      };

  /** Begins to run the work from time to time, unless it has begun. */
  void start(Runnable work);

  /** Asks for the work to be run soon. Never blocks. */
  void wake();

  /** Returns what keeps the work from being done, as far as it shows; for people. */
  String whereabouts();
}
