// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * What shadows cost a hit: two caches with the same blocks take turns, of which one tells its
 * shadows of a sample of its lookups. Both run the same compiled code. Beside it, the plain cache
 * against itself.
 */
final class ShadowRun {
  private static final double[] SAMPLES = {0.001, 0.01};
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
      Side plainSide = Operation.HIT_COPY.candidate(plain);
      Side shadowedSide = Operation.HIT_COPY.candidate(shadowed);
      int perSample = Operation.HIT_COPY.perSample(plan.blockBytes());
      PairedSampler pairs = new PairedSampler(shadowedSide, plainSide, perSample, walk);
      measure(pairs, plan, WARM_UP_PART);
      // Without shadows both do the same: the ratio is that of the places where they lie.
      ofHits
          .with("sample", "0")
          .ratio("shadowed_hit_ratio_to_plain", measure(pairs, plan, PART).cpuRatio());
      for (double sample : SAMPLES) {
        shadowed.sample(sample);
        measure(pairs, plan, WARM_UP_PART);
        ofHits
            .with("sample", String.format(Locale.ROOT, "%.3f", sample))
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
    int[] ofOther = Loader.load(other, plan.blockBytes(), plan.blocks());
    ByteBuffer block = ByteBuffer.allocateDirect(plan.blockBytes());
    return ofOne.length <= ofOther.length ? only(ofOne, other, block) : only(ofOther, one, block);
  }

  private static int[] only(int[] keys, Contender contender, ByteBuffer block) {
    return Arrays.stream(keys).filter(key -> contender.get(key, block.clear())).toArray();
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
