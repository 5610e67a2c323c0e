// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.guard;

import io.nvcache.Checksum;
import io.nvcache.DebugCheck;
import java.time.Duration;
import java.util.Set;

/**
 * The settings that say how far a medium is trusted.
 *
 * @param checksum what is kept of each block's bytes
 * @param maxFailures failures, at least as many as successes in the same time, after which the
 *     medium is asked no more
 * @param backOff for how long, the first time
 * @param stuckAfter how long a call may be inside before the medium counts as hanging
 * @param debug checks for those who look for a bug
 */
public record GuardSettings(
    Checksum checksum,
    int maxFailures,
    Duration backOff,
    Duration stuckAfter,
    Set<DebugCheck> debug) {

  /** Settings for media that need no watching. */
  public static final GuardSettings STANDARD =
      new GuardSettings(Checksum.NONE, 16, Duration.ofSeconds(1), Duration.ofSeconds(10), Set.of());

  public boolean checks(DebugCheck check) {
    return debug.contains(check);
  }
}
