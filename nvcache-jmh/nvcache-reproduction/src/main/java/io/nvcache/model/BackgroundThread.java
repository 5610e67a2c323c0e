// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

import io.nvcache.model.machine.Activity;
import io.nvcache.model.machine.ModelMachine;
import io.nvcache.model.machine.Station;
import io.nvcache.model.tier.Tier;

/** The cache's background thread: works once a second, and rests for one. */
final class BackgroundThread extends Activity {
  private final Tier tier;
  private final Station delay;
  private final double periodSeconds;
  private boolean rested;

  BackgroundThread(Tier tier, ModelMachine machine, int scale) {
    this.tier = tier;
    this.delay = machine.simulation().delay();
    this.periodSeconds = 1.0 / scale;
  }

  @Override
  public void proceed() {
    if (rested) {
      tier.everySecond(this);
    }
    rested = true;
    pay(delay, periodSeconds);
  }
}
