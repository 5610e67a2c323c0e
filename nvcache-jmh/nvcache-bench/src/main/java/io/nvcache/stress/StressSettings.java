// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stress;

import io.nvcache.device.MediumChoice;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * What a stress run does.
 *
 * @param duration of all of it
 * @param round after which the cache is closed, with calls inside, and another one built
 * @param threads that use the cache
 * @param medium what lies below
 * @param paths where, for media with a place; several for flash on several drives
 * @param mediumBytes its capacity
 * @param faults what it suffers from
 * @param faultRate of each kind, per operation of the medium
 * @param seed of each thread's operations and each round's cache; which thread goes first is not
 *     its choice
 */
public record StressSettings(
    Duration duration,
    Duration round,
    int threads,
    MediumChoice medium,
    List<Path> paths,
    long mediumBytes,
    Set<StressFault> faults,
    double faultRate,
    long seed) {}
