// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

import java.lang.ref.WeakReference;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Listeners that callers added, which may reference the cache. They are told by its threads, and
 * yet these do not keep them: what {@linkplain CallersHold callers hold} of the cache does.
 *
 * @param <L> what listens
 */
public final class Listeners<L> implements Iterable<L> {
  private volatile WeakReference<List<L>> listeners;

  /** Null once callers hold them. */
  private volatile @Nullable List<L> unheld = new CopyOnWriteArrayList<>();

  /** Without any, which are kept here until {@link #handTo}. */
  public Listeners() {
    this.listeners = new WeakReference<>(unheld);
  }

  /**
   * Has them kept by what callers hold, from now on. The second time it begins with none: those of
   * a cache whose building failed are gone with it.
   */
  public void handTo(CallersHold hold) {
    List<L> before = unheld;
    List<L> mine = before == null ? new CopyOnWriteArrayList<>() : before;
    hold.keep(mine);
    listeners = new WeakReference<>(mine);
    unheld = null;
  }

  /** Adds one. */
  public void add(L listener) {
    List<L> present = listeners.get();
    if (present != null) {
      present.add(Objects.requireNonNull(listener, "listener"));
    }
  }

  /** Removes one. */
  public void remove(L listener) {
    List<L> present = listeners.get();
    if (present != null) {
      present.remove(listener);
    }
  }

  @Override
  public Iterator<L> iterator() {
    List<L> present = listeners.get();
    return present == null ? List.<L>of().iterator() : present.iterator();
  }
}
