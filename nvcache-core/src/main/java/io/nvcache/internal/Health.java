// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.CacheHealth;
import io.nvcache.CacheListener;
import io.nvcache.Condition;
import java.util.Map;
import java.util.Objects;

/** Reports whether the cache serves, and why not; takes it out of service, and back. */
final class Health {
  private final Watch watch;
  private final MediumGuard guard;
  private final ConditionWatch conditions;
  private final LastRound lastRound;

  Health(Watch watch, MediumGuard guard, ConditionWatch conditions, LastRound lastRound) {
    this.watch = watch;
    this.guard = guard;
    this.conditions = conditions;
    this.lastRound = lastRound;
  }

  CacheHealth read() {
    return watch.health(conditions.bypass(), lastRound.secondsSinceEnd());
  }

  Map<Condition, String> conditions() {
    return conditions.present();
  }

  void addListener(CacheListener listener) {
    conditions.addListener(listener);
  }

  void removeListener(CacheListener listener) {
    conditions.removeListener(listener);
  }

  void takeOutOfService(String reason) {
    if (Objects.requireNonNull(reason, "reason").isBlank()) {
      throw new IllegalArgumentException(
          "the reason is missing; say why, for who reads the log and the health");
    }
    guard.leaveByHand(reason);
  }

  void returnToService() {
    guard.enterByHand();
  }
}
