// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.settings;

import io.nvcache.background.SafeLog;
import io.nvcache.control.SettingListener;
import io.nvcache.internal.gate.CallersHold;
import io.nvcache.internal.gate.Listeners;
import io.nvcache.shadow.ChangeOrder;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the changes of a cache's settings one after the other and reports them in that order, each
 * by the thread that made it.
 *
 * <p><b>Invariants.</b> Its lock is taken before any other lock of settings, shadows and tuning,
 * and while listeners are called it is the only one held: so they may look at all of these, and
 * change them. A change is reported when it is made and all that belongs to it is in place, even if
 * what followed it threw. A change that a listener makes is reported after the one that it
 * received, to all listeners. What a listener throws is logged; it neither undoes the change nor
 * keeps it from the other listeners.
 */
public final class SettingChanges implements ChangeOrder {
  private static final Logger LOG = LoggerFactory.getLogger(SettingListener.class);

  private final ReentrantLock lock = new ReentrantLock();
  private final Listeners<SettingListener> listeners = new Listeners<>();
  private final Queue<Change> untold = new ArrayDeque<>(); // Under the lock.

  private record Change(String setting, Object before, Object after) {}

  /** Has the listeners kept by what callers hold of the cache. */
  public void heldBy(CallersHold hold) {
    listeners.handTo(hold);
  }

  void addListener(SettingListener listener) {
    listeners.add(listener);
  }

  void removeListener(SettingListener listener) {
    listeners.remove(listener);
  }

  @Override
  public void make(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      try {
        if (lock.getHoldCount() == 1) {
          tellAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  @Override
  public void tell(String setting, Object before, Object after) {
    if (!before.equals(after)) {
      untold.add(new Change(setting, before, after));
    }
  }

  private void tellAll() {
    for (Change change = untold.poll(); change != null; change = untold.poll()) {
      for (SettingListener listener : listeners) {
        tell(listener, change);
      }
    }
  }

  private static void tell(SettingListener listener, Change change) {
    try {
      listener.changed(change.setting, change.before, change.after);
    } catch (RuntimeException | Error e) {
      SafeLog.error(LOG, "the listener {} failed on {}, which stays", listener, change, e);
    }
  }
}
