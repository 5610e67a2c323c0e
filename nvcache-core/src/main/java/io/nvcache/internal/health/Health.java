// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import io.nvcache.control.CacheHealth;
import io.nvcache.control.CacheListener;
import io.nvcache.control.Condition;
import io.nvcache.internal.background.LastRound;
import io.nvcache.internal.guard.MediumGuard;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/** Reports whether the cache serves, and why not; takes it out of service, and back. */
public final class Health {
  private final MediumMonitor watch;
  private final MediumGuard guard;
  private final ConditionWatch conditions;
  private final DriveWatch drives;
  private final LastRound lastRound;

  public Health(
      MediumMonitor watch,
      MediumGuard guard,
      ConditionWatch conditions,
      DriveWatch drives,
      LastRound lastRound) {
    this.watch = watch;
    this.guard = guard;
    this.conditions = conditions;
    this.drives = drives;
    this.lastRound = lastRound;
  }

  public CacheHealth read() {
    return watch.health(conditions.bypass(), lastRound.secondsSinceEnd());
  }

  public Map<Condition, String> conditions() {
    return conditions.present();
  }

  public void addListener(CacheListener listener) {
    conditions.addListener(listener);
  }

  public void removeListener(CacheListener listener) {
    conditions.removeListener(listener);
  }

  public void addStoreDirectory(Path directory) {
    drives.addStoreDirectory(directory);
  }

  public void reportNoGain(String reason) {
    conditions.hold(Condition.NO_GAIN, reason);
  }

  public void takeOutOfService(String reason) {
    if (Objects.requireNonNull(reason, "reason").isBlank()) {
      throw new IllegalArgumentException(
          "the reason is missing; say why, for who reads the log and the health");
    }
    guard.disable(reason);
  }

  public void returnToService() {
    watch.askDrivesBack();
    guard.enterByHand();
  }
}
