// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import io.nvcache.bench.contender.BlockNumbering;
import io.nvcache.bench.contender.Contender;
import io.nvcache.bench.sample.PairedSampler.Side;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is measured: the loop over the cache and the loop over the limit. Nothing else is in the
 * loops but the check of the eight bytes that were read, on both sides.
 */
enum ComparedOperation {
  HIT_COPY {
    @Override
    Side candidate(Contender contender) {
      return (walk, lane, operations) -> {
        ByteBuffer dst = lane.buffer();
        for (int i = 0; i < operations; i++) {
          long key = walk.next();
          if (contender.get(key, dst.clear())) {
            lane.found(key, dst.getLong(0));
          }
        }
      };
    }

    @Override
    Side raw(Limit limit) {
      return (walk, lane, operations) -> {
        ByteBuffer dst = lane.buffer();
        for (int i = 0; i < operations; i++) {
          long key = walk.next();
          limit.copy(key, dst.clear());
          lane.found(key, dst.getLong(0));
        }
      };
    }

    @Override
    Side rawInOrder(Limit limit, Limit.Order order) {
      return (walk, lane, operations) -> {
        ByteBuffer dst = lane.buffer();
        for (int i = 0; i < operations; i++) {
          long key = walk.next();
          limit.copy(key, dst.clear(), order);
          lane.found(key, dst.getLong(0));
        }
      };
    }
  },
  HIT_TOUCH {
    @Override
    Side candidate(Contender contender) {
      return (walk, lane, operations) -> {
        for (int i = 0; i < operations; i++) {
          long key = walk.next();
          long stamp = contender.touch(key, lane.nextPlace(), lane.word());
          if (stamp != Contender.ABSENT) {
            lane.found(key, stamp);
          }
        }
      };
    }

    @Override
    Side raw(Limit limit) {
      return (walk, lane, operations) -> {
        for (int i = 0; i < operations; i++) {
          long key = walk.next();
          lane.found(key, limit.touch(key, lane.nextPlace()));
        }
      };
    }
  },
  /** Looks for blocks that never were there, in files that others are from; limit: a touch. */
  MISS {
    @Override
    Side candidate(Contender contender) {
      return misses(contender, BlockNumbering.ABSENT_BLOCKS);
    }

    @Override
    Side raw(Limit limit) {
      return HIT_TOUCH.raw(limit);
    }
  },
  /** The same in files without any block. */
  MISS_FILE {
    @Override
    Side candidate(Contender contender) {
      return misses(contender, BlockNumbering.ABSENT_FILES);
    }

    @Override
    Side raw(Limit limit) {
      return HIT_TOUCH.raw(limit);
    }
  },
  REPLACE {
    @Override
    Side candidate(Contender contender) {
      return (walk, lane, operations) -> {
        ByteBuffer src = lane.buffer().clear();
        for (int i = 0; i < operations; i++) {
          long key = walk.next();
          contender.replace(key, src.putLong(0, Contender.stamp(key)));
        }
      };
    }

    @Override
    Side raw(Limit limit) {
      return writes(limit);
    }
  },
  /** Puts blocks into a full cache that were not in it before. */
  INSERT {
    @Override
    Side candidate(Contender contender) {
      return (walk, lane, operations) -> {
        ByteBuffer src = lane.buffer().clear();
        for (int i = 0; i < operations; i++) {
          long key = lane.nextNewKey();
          contender.put(key, src.putLong(0, Contender.stamp(key)));
        }
      };
    }

    @Override
    Side raw(Limit limit) {
      return writes(limit);
    }

    @Override
    Side rawInOrder(Limit limit, Limit.Order order) {
      return (walk, lane, operations) -> {
        ByteBuffer src = lane.buffer().clear();
        for (int i = 0; i < operations; i++) {
          long key = walk.next();
          limit.write(key, src.putLong(0, Contender.stamp(key)), order);
        }
      };
    }
  };

  /** Enough for the clocks to be read at no cost that matters, and few enough for many pairs. */
  private static final int BYTES_PER_SAMPLE = 4 << 20;

  private static final int TOUCHES_PER_SAMPLE = 4096;

  /** The loop over the cache. */
  abstract Side candidate(Contender contender);

  /** The loop over the limit. */
  abstract Side raw(Limit limit);

  /** The loop over the limit in an order of copying, where orders are compared; else null. */
  @Nullable Side rawInOrder(Limit limit, Limit.Order order) {
    return null;
  }

  private static Side misses(Contender contender, long absent) {
    return (walk, lane, operations) -> {
      ByteBuffer dst = lane.buffer();
      for (int i = 0; i < operations; i++) {
        long key = walk.next() + absent;
        if (contender.get(key, dst.clear())) {
          lane.found(key, dst.getLong(0));
        }
      }
    };
  }

  private static Side writes(Limit limit) {
    return (walk, lane, operations) -> {
      ByteBuffer src = lane.buffer().clear();
      for (int i = 0; i < operations; i++) {
        long key = walk.next();
        limit.write(key, src.putLong(0, Contender.stamp(key)));
      }
    };
  }

  /** Whether an operation is a lookup that should find its block. */
  boolean isHit() {
    return this == HIT_COPY || this == HIT_TOUCH;
  }

  /** Whether an operation is a lookup that should find nothing. */
  boolean isMiss() {
    return this == MISS || this == MISS_FILE;
  }

  /** Operations between two readings of the clocks. */
  int perSample(int blockBytes) {
    return this == HIT_TOUCH || isMiss()
        ? TOUCHES_PER_SAMPLE
        : Math.max(16, BYTES_PER_SAMPLE / blockBytes);
  }

  /** The name in metrics: {@code hit_copy}. */
  String metric() {
    return name().toLowerCase(Locale.ROOT);
  }
}
