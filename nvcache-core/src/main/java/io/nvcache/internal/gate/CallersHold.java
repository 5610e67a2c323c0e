// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.gate;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What everything references that callers hold of a cache, and nothing that its own threads hold:
 * once it is unreachable, nobody can use the cache any more, and it may be closed.
 */
public final class CallersHold {
  /** Never read: callers' objects may reference the cache, and live as long as it can be used. */
  private final List<Object> kept = new CopyOnWriteArrayList<>();

  void keep(Object callers) {
    kept.add(callers);
  }
}
