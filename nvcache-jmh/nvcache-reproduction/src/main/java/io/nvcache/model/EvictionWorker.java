// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.LruList;
import io.nvcache.model.machine.ModelMachine;
import io.nvcache.model.machine.Station;

/**
 * One of the store's threads that write changed pages while there are too many (WiredTiger's
 * eviction threads); the pages stay in memory. Clients write a changed page only if it is the one
 * whose frame they need.
 */
final class EvictionWorker extends Activity {
  private static final double IDLE_SECONDS = 1e-4;

  private final Store store;
  private final Station delay;

  EvictionWorker(Store store, ModelMachine machine) {
    this.store = store;
    this.delay = machine.simulation().delay();
  }

  @Override
  public void proceed() {
    int page = store.pageToClean();
    if (page == LruList.NONE) {
      pay(delay, IDLE_SECONDS);
    } else {
      store.clean(page, this);
    }
  }
}
