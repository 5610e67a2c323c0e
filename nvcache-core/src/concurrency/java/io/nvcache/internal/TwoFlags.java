// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** What a call and a closing thread tell each other, written and read as {@code CallGate} does. */
final class TwoFlags {
  private static final VarHandle BEGUN;

  static {
    try {
      BEGUN = MethodHandles.lookup().findVarHandle(TwoFlags.class, "begun", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("unused")
  private boolean begun;

  private volatile boolean closed;

  void begin() {
    BEGUN.setOpaque(this, true);
  }

  boolean isBegun() {
    return (boolean) BEGUN.getVolatile(this);
  }

  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }
}
