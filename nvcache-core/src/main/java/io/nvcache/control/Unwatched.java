// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

/** The health of a cache that keeps no account of it. */
enum Unwatched implements CacheHealth {
  INSTANCE;

  @Override
  public State state() {
    return State.SERVING;
  }

  @Override
  public String reason() {
    return "";
  }
}
