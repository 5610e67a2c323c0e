// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a stress run did and found.
 *
 * @param settings of the run
 * @param seconds it took
 * @param rounds caches that were built, used and closed
 * @param counts operations and violations by name
 * @param faults injected, by label
 * @param health what the caches counted of it
 * @param early the process's memory after the first round
 * @param late and after the last
 * @param violations answers that no cache may give; 0 is a pass
 * @param explanation the first of them, in words
 */
public record StressResult(
    StressSettings settings,
    double seconds,
    int rounds,
    Map<String, Long> counts,
    Map<String, Long> faults,
    Map<String, Long> health,
    ProcessMemory early,
    ProcessMemory late,
    long violations,
    @Nullable String explanation) {}
