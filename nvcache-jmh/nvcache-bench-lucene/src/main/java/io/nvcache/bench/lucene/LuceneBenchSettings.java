// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.lucene;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * What to run.
 *
 * @param warmUp of each engine in a scenario, before it is measured
 * @param measured for how long each engine is measured in a scenario
 * @param latency of a read of the delegate beyond memory
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
    Path directory) {}
