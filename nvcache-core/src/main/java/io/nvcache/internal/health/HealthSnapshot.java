// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.health;

import io.nvcache.control.CacheHealth;
import io.nvcache.control.DriveHealth;
import java.util.List;

/** The values of a {@link CacheHealth}, which documents them. */
record HealthSnapshot(
    CacheHealth.State state,
    String reason,
    long outages,
    long refusedLookups,
    long stuckCalls,
    long checksumFailures,
    long quarantinedBlocks,
    long quarantinedBytes,
    long indexFaults,
    long spaceFaults,
    long openPins,
    long secondsSinceMaintenance,
    List<DriveHealth> drives)
    implements CacheHealth {}
