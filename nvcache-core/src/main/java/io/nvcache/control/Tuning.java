// SPDX-License-Identifier: Apache-2.0
package io.nvcache.control;

/**
 * Moves the overhead target of a running cache to where lookups are the fastest: measures what the
 * cache's own writes do to reads of its medium, asks the {@linkplain Shadows shadows} what other
 * targets would hit and write, and steps to the target with the lowest cost. Off until started.
 * Ends when another caller sets the overhead target, or the shadows' candidates or sample.
 * docs/run/tune.md has its steps. Thread-safe.
 */
public interface Tuning {
  /** The tuning of a cache that can't tune itself. */
  Tuning NONE = NoTuning.INSTANCE;

  /**
   * Starts the tuning, or starts it again. Takes the shadows for itself: their candidates become
   * targets between the bounds. When tuning ends, they get back what they were set to before.
   *
   * @throws IllegalArgumentException if of the medium only whole blocks can be read, as of one that
   *     is encrypted as a whole, or if the shadows can't be started; a tuning that ran continues in
   *     the first case, and has ended in the second
   */
  void start(TuningBounds bounds);

  /** Ends it. The overhead target stays where it is. */
  void stop();

  /** Returns what it knows and does. Never waits, not even for a medium that hangs. */
  TuningReport report();
}
