// SPDX-License-Identifier: Apache-2.0
package io.nvcache.redeploy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.BlockCacheBuilder;
import io.nvcache.FileIdentity;
import io.nvcache.PinnedBlock;
import io.nvcache.Source;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.TuningBounds;
import io.nvcache.micrometer.NvCacheMetrics;
import io.nvcache.micrometer.TimedBlockCache;
import io.nvcache.tiered.TieredBlockCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Uses all of the library as an application does that a server loads, ends and drops. */
public final class DeployedApplication {
  private static final long CAPACITY_BYTES = 4 << 20;
  private static final int BLOCK_BYTES = 4 << 10;
  private static final int BLOCKS = 50;

  private DeployedApplication() {}

  /** Runs the application on a medium to its end, in part by the server's threads. */
  public static void run(String medium, Path directory, ExecutorService server) throws Exception {
    BlockCacheBuilder builder =
        BlockCache.builder()
            .admission(AdmissionPresets.admitAll())
            .maxBlockBytes(BLOCK_BYTES)
            .registerMBean("redeployed");
    switch (medium) {
      case "mapped" -> builder.mappedFile(directory.resolve("mapped"), CAPACITY_BYTES);
      case "flash" -> builder.flash(directory.resolve("flash"), CAPACITY_BYTES);
      default -> builder.nativeMemory(CAPACITY_BYTES);
    }
    if (medium.equals("encrypted")) {
      builder.encrypted();
    } else if (medium.equals("shadowed")) {
      builder.shadows(0.5, "paper");
    } else if (medium.equals("tuned")) {
      builder.tuning(new TuningBounds(0.01, 0.5, Duration.ofMillis(1)));
    }
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    BlockCache cache = new TimedBlockCache(builder.build(), registry, "redeployed", 1);
    NvCacheMetrics.monitor(registry, cache, "redeployed");
    cache.control().addListener(event -> cache.stats());
    cache.control().settings().addListener((name, before, after) -> cache.stats());
    cache.control().settings().setFullTarget(0.9);
    cache.identify(1, FileIdentity.of("a file"));
    List<Future<?>> calls = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      calls.add(server.submit(() -> use(cache)));
    }
    for (Future<?> call : calls) {
      call.get();
    }
    String read = cache.control().restore() + " " + cache.control().health() + cache.stats();
    try (PinnedBlock pinned = cache.pin(1, 0)) {
      cache.close();
    }
    cache.close();
    registry.close();
  }

  private static void use(BlockCache cache) {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    for (int i = 0; i < BLOCKS; i++) {
      var unused = cache.offer(1, (long) i * BLOCK_BYTES, block.clear(), Source.READ);
      int length = cache.get(1, (long) i * BLOCK_BYTES, block.clear());
    }
    TieredBlockCache tiers =
        TieredBlockCache.builder(1 << 20, (fileId, offset) -> ByteBuffer.allocate(BLOCK_BYTES))
            .secondTier(cache)
            .build();
    for (int i = 0; i < BLOCKS; i++) {
      try {
        ByteBuffer first = tiers.get(2, i, BLOCK_BYTES, Source.READ);
        ByteBuffer again = tiers.get(2, i, BLOCK_BYTES, Source.READ);
      } catch (IOException e) {
        throw new IllegalStateException("the loader reads nothing", e);
      }
    }
    tiers.invalidateFile(2);
  }
}
