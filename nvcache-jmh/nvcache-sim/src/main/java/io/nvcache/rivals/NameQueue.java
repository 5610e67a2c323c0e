// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import java.util.Iterator;
import java.util.LinkedHashSet;

/** A bounded set of names that forgets the ones put in longest ago: a ghost list. */
final class NameQueue {
  private final LinkedHashSet<Long> names = new LinkedHashSet<>();

  boolean contains(long name) {
    return names.contains(name);
  }

  /** Puts a name in, as the newest even if it was in, and forgets the oldest beyond a number. */
  void put(long name, long most) {
    names.remove(name);
    names.add(name);
    Iterator<Long> oldest = names.iterator();
    for (long surplus = names.size() - most; surplus > 0; surplus--) {
      oldest.next();
      oldest.remove();
    }
  }

  boolean remove(long name) {
    return names.remove(name);
  }
}
