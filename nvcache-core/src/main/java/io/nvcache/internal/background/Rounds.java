// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.background;

/**
 * The rounds of a cache's background work, and when the last one ended.
 *
 * <p>A part of a round that fails costs the others nothing: they are done all the same, and then
 * the failure is thrown. Only a round that did all its parts counts as ended.
 */
public final class Rounds {
  private final LastRound lastRound;
  private final Runnable[] parts;

  /**
   * Makes rounds.
   *
   * @param parts what a round does, in this order
   */
  public Rounds(LastRound lastRound, Runnable... parts) {
    this.lastRound = lastRound;
    this.parts = parts;
  }

  /** Does a round. */
  public void run() {
    Throwable failure = null;
    for (Runnable part : parts) {
      try {
        part.run();
      } catch (RuntimeException | Error e) {
        failure = failure == null ? e : failure;
      }
    }
    if (failure == null) {
      lastRound.ended();
    } else if (failure instanceof Error error) {
      throw error;
    } else {
      throw (RuntimeException) failure;
    }
  }
}
