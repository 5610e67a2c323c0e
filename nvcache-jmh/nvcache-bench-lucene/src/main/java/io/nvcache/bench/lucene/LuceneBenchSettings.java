// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to run.
 *
 * @param warmUp of each engine in a scenario, before it is measured
 * @param measured for how long each engine is measured in a scenario
 * @param latency of a read of the delegate beyond memory
 * @param capacityBytes what the caches may hold beyond memory; null for a quarter of the index
 * @param directory where files go for the time of the run
 * @param index a folder that keeps the index for other runs; null for none
 */
record LuceneBenchSettings(
    List<LuceneEngine> engines,
    List<LuceneScenario> scenarios,
    int documents,
    int threads,
    Duration warmUp,
    Duration measured,
    Duration latency,
    long seed,
    @Nullable Long capacityBytes,
    Path directory,
    @Nullable Path index) {}
