// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.shadow.KeySample;
import io.nvcache.stats.StripedCounters;
import java.util.function.LongSupplier;

/** What a cache is made of; assembled by {@link EngineAssembly}, taken apart by {@link Engine}. */
record EngineParts(
    BlockIndex index,
    Allocator allocator,
    FileTable files,
    Space space,
    GuardedAdmission admission,
    GuardedEviction eviction,
    StripedCounters counters,
    RegisteredFiles dataSet,
    Thresholds thresholds,
    int expectedBlockBytes,
    int maxBlockBytes,
    LongSupplier nanoTime,
    PolicyFailures failures,
    GuardSettings guards,
    MediumGuard guard,
    KeySample sample) {}
