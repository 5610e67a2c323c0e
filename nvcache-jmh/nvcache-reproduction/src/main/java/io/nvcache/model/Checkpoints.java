// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.IntStack;
import io.nvcache.model.machine.LruList;
import io.nvcache.model.machine.ModelMachine;
import io.nvcache.model.machine.Station;

/** The thread that makes checkpoints, and with them freed blocks usable again. */
final class Checkpoints extends Activity {
  private final Store store;
  private final Station delay;
  private final double periodSeconds;
  private final IntStack toClean = new IntStack();
  private boolean running;

  Checkpoints(Store store, ModelMachine machine, int scale) {
    this.store = store;
    this.delay = machine.simulation().delay();
    this.periodSeconds = machine.parameters().checkpointSeconds() / scale;
  }

  @Override
  public void proceed() {
    while (running) {
      if (toClean.isEmpty()) {
        running = false;
        store.file().endCheckpoint();
        pay(delay, periodSeconds);
        return;
      }
      int page = toClean.pop();
      if (store.dirtyPages().find(page) != LruList.NONE) {
        store.clean(page, this);
        return;
      }
    }
    begin();
  }

  private void begin() {
    running = true;
    store.file().beginCheckpoint();
    LruList dirty = store.dirtyPages();
    for (int page = dirty.oldest(); page != LruList.NONE; page = dirty.newerThan(page)) {
      toClean.push(page);
    }
  }
}
