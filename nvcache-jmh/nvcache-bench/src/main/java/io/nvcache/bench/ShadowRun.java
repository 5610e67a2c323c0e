// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.bench.contender.Contender;
import io.nvcache.bench.contender.Lane;
import io.nvcache.bench.contender.NvCacheContender;
import io.nvcache.bench.sample.Emitter;
import io.nvcache.bench.sample.KeyWalk;
import io.nvcache.bench.sample.PairedSampler;
import io.nvcache.bench.sample.PairedSampler.Side;
import io.nvcache.bench.sample.PairedSamples;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * What shadows cost a hit: two caches with the same blocks take turns, of which one reports its
 * shadows of a sample of its lookups. Both run the same compiled code. Next to it, the plain cache
 * against itself.
 */
final class ShadowRun {
  /** Without shadows both do the same: the ratio comes from the places where they lie. */
  private static final List<String> SAMPLES = List.of("0", "0.001", "0.010");

  private static final double WARM_UP_PART = 2;

  /** Two caches lie at different places, which matters more than shadows do: many pairs. */
  private static final double PART = 4;

  private ShadowRun() {}

  static void run(ForkPlan plan, Emitter out) {
    try (NvCacheContender plain = open(plan);
        NvCacheContender shadowed = open(plan)) {
      int[] held = held(plain, shadowed, plan);
      Emitter ofHits =
          out.with("op", "shadowed_hit")
              .with("buffer", "direct")
              .with("dist", "uniform")
              .with("threads", 1)
              .with("entries", held.length);
      KeyWalk walk = KeyWalk.uniform(held, plan.seed());
      Side plainSide = ComparedOperation.HIT_COPY.candidate(plain);
      Side shadowedSide = ComparedOperation.HIT_COPY.candidate(shadowed);
      int perSample = ComparedOperation.HIT_COPY.perSample(plan.blockBytes());
      PairedSampler pairs = new PairedSampler(shadowedSide, plainSide, perSample, walk);
      for (String sample : SAMPLES) {
        shadowed.sample(Double.parseDouble(sample));
        measure(pairs, plan, WARM_UP_PART);
        ofHits
            .with("sample", sample)
            .ratio("shadowed_hit_ratio_to_plain", measure(pairs, plan, PART).cpuRatio());
      }
    }
  }

  private static NvCacheContender open(ForkPlan plan) {
    return (NvCacheContender) plan.kind().open(plan.blockBytes(), plan.capacityBlocks());
  }

  /** The keys that both hold. */
  private static int[] held(Contender one, Contender other, ForkPlan plan) {
    int[] ofOne = Loader.load(one, plan.blockBytes(), plan.blocks());
    var unused = Loader.load(other, plan.blockBytes(), plan.blocks());
    ByteBuffer block = ByteBuffer.allocateDirect(plan.blockBytes());
    return Arrays.stream(ofOne).filter(key -> other.get(key, block.clear())).toArray();
  }

  private static PairedSamples measure(PairedSampler pairs, ForkPlan plan, double part) {
    Lane lane = new Lane(ByteBuffer.allocateDirect(plan.blockBytes()), 0, 1);
    PairedSamples samples = pairs.run(List.of(lane), (long) (part * plan.nanosPerCell()));
    if (!lane.sawRightBytes()) {
      throw new IllegalStateException("a hit found wrong bytes");
    }
    return samples;
  }
}
