// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import java.util.SplittableRandom;

/**
 * Traces that anyone can make: requests drawn from the distributions of YCSB, or popular for a time
 * only, for blocks of {@value #BLOCK_BYTES} bytes or of mixed lengths. The same parameters and seed
 * give the same trace.
 */
public final class SyntheticTrace {
  public static final int BLOCK_BYTES = 4096;

  private final SyntheticSpec spec;
  private final SplittableRandom random;
  private final Zipfian zipfian;
  private final TraceBuilder trace = new TraceBuilder();

  private SyntheticTrace(SyntheticSpec spec, long seed) {
    this.spec = spec;
    this.random = new SplittableRandom(seed);
    this.zipfian =
        new Zipfian(
            spec.kind() == SyntheticSpec.Kind.COMPACTION
                ? CompactedFiles.keys(spec.blocks())
                : spec.blocks());
  }

  public static Trace generate(SyntheticSpec spec, long seed) {
    return new SyntheticTrace(spec, seed).generate();
  }

  private Trace generate() {
    MovingLoads moving = new MovingLoads(spec, random, block -> add(TraceOp.READ, block));
    switch (spec.kind()) {
      case ZIPF -> zipf();
      case UNIFORM -> uniform();
      case LATEST -> latest();
      case PHASE -> phases();
      case SCAN_MIX -> scanMix();
      case LOOP -> loop();
      case COMPACTION -> compaction();
      case DRIFT -> moving.drift();
      case SHIFT -> moving.shift();
      case HOTFLAT -> moving.hotThenFlat();
      case RECENT -> moving.recent();
      case BURST -> moving.bursts(() -> zipfBlock(0));
      case ZIPFSCAN -> moving.scans(() -> zipfBlock(0));
    }
    return trace.build();
  }

  private void add(TraceOp op, long block) {
    trace.add(op, block, op.hasSize() ? length(block) : 0);
  }

  /** As many blocks of each power of two as of any other. */
  private int length(long block) {
    int sizes = Long.numberOfTrailingZeros(Long.highestOneBit(spec.longest() / BLOCK_BYTES)) + 1;
    return sizes == 1 ? BLOCK_BYTES : BLOCK_BYTES << (int) (Zipfian.scramble(block) % sizes);
  }

  /** YCSB's scrambled zipfian: ranks are spread over the blocks by a hash. */
  private long zipfBlock(long salt) {
    return Zipfian.scramble(zipfian.rank(random.nextDouble()) + salt * spec.blocks())
        % spec.blocks();
  }

  private void zipf() {
    for (long i = 0; i < spec.reads(); i++) {
      add(TraceOp.READ, zipfBlock(0));
    }
  }

  private void uniform() {
    for (long i = 0; i < spec.reads(); i++) {
      add(TraceOp.READ, random.nextLong(spec.blocks()));
    }
  }

  /** Between reads of the newest blocks, new ones are written; the oldest go, as many as come. */
  private void latest() {
    long newest = spec.blocks() - 1;
    for (long i = 0; i < spec.reads(); ) {
      if (random.nextDouble() < spec.writes()) {
        newest++;
        add(TraceOp.WRITE, newest);
        add(TraceOp.FREE, newest - spec.blocks());
      } else {
        add(TraceOp.READ, newest - zipfian.rank(random.nextDouble()));
        i++;
      }
    }
  }

  /** The hot set is another one in each phase. */
  private void phases() {
    for (long i = 0; i < spec.reads(); i++) {
      add(TraceOp.READ, zipfBlock(i * spec.phases() / spec.reads()));
    }
  }

  /** Point reads, and scans of 2 % of the blocks from anywhere, taking turns at random. */
  private void scanMix() {
    long length = Math.max(1, spec.blocks() / 50);
    double scanStarts = spec.scans() / (length * (1 - spec.scans()) + spec.scans());
    for (long i = 0; i < spec.reads(); ) {
      if (random.nextDouble() < scanStarts) {
        long start = random.nextLong(spec.blocks());
        for (long k = 0; k < length; k++) {
          add(TraceOp.SCAN, (start + k) % spec.blocks());
        }
        i += length;
      } else {
        add(TraceOp.READ, zipfBlock(0));
        i++;
      }
    }
  }

  /**
   * Keys that lie in four files, anywhere, are read; in the midst of it the files are merged, in
   * the order of their keys, and the same keys are read from the outputs.
   */
  private void compaction() {
    CompactedFiles files = new CompactedFiles(spec.blocks(), random);
    for (long i = 0; i < spec.reads() / 2; i++) {
      add(TraceOp.READ, files.inputBlock(files.key(zipfian.rank(random.nextDouble()))));
    }
    files.merge(this::add);
    for (long i = spec.reads() / 2; i < spec.reads(); i++) {
      add(TraceOp.READ, files.outputBlock(files.key(zipfian.rank(random.nextDouble()))));
    }
  }

  private void loop() {
    for (long i = 0; i < spec.reads(); i++) {
      add(TraceOp.READ, i % spec.blocks());
    }
  }
}
