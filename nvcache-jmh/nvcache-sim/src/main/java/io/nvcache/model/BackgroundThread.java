// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

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
  void proceed() {
    if (rested) {
      tier.everySecond(this);
    }
    rested = true;
    pay(delay, periodSeconds);
  }
}
