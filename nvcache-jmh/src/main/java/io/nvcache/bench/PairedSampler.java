// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Phaser;
import org.jspecify.annotations.Nullable;

/**
 * Runs two sides in turn for some time, on one or more threads that change sides together, the
 * first side of a pair being the candidate in every other pair.
 */
final class PairedSampler {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final Side[] sides;
  private final int operations;
  private final KeyWalk walk;

  /**
   * Prepares a measurement.
   *
   * @param operations between two readings of the clocks
   * @param walk the keys; each lane and each side goes through them on its own, as far apart as can
   *     be: one that followed another would find its blocks in the processor's cache
   */
  PairedSampler(Side candidate, Side raw, int operations, KeyWalk walk) {
    this.sides = new Side[] {candidate, raw};
    this.operations = operations;
    this.walk = walk;
  }

  /** Runs pairs for so long, at least one. */
  PairedSamples run(List<Lane> lanes, long nanos) {
    long deadline = System.nanoTime() + nanos;
    Turns turns = new Turns(lanes.size(), deadline);
    if (lanes.size() == 1) {
      return new LaneRun(lanes.get(0), 0, 0.5, turns).call();
    }
    ExecutorService threads = Executors.newFixedThreadPool(lanes.size());
    try {
      List<Future<PairedSamples>> running = new ArrayList<>();
      for (int i = 0; i < lanes.size(); i++) {
        double distance = 1.0 / lanes.size();
        LaneRun run = new LaneRun(lanes.get(i), i * distance, distance / 2, turns);
        running.add(threads.submit(run::call));
      }
      List<PairedSamples> samples = new ArrayList<>();
      for (Future<PairedSamples> lane : running) {
        samples.add(lane.get());
      }
      return PairedSamples.sum(samples);
    } catch (InterruptedException | ExecutionException e) {
      turns.giveUp(e);
      throw new IllegalStateException("a measuring thread failed", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Lets all lanes take their turns together, and end after the same pair. */
  private static final class Turns {
    /** Not a barrier: a lane that comes after another gave up must not wait for it. */
    private final Phaser phaser;

    private volatile boolean over;
    private volatile @Nullable Throwable failure;

    Turns(int lanes, long deadline) {
      this.phaser =
          new Phaser(lanes) {
            @Override
            protected boolean onAdvance(int phase, int registeredParties) {
              over = System.nanoTime() >= deadline;
              return false;
            }
          };
    }

    /** Ends the waiting of the other lanes, now and later. */
    void giveUp(Throwable reason) {
      if (failure == null) {
        failure = reason;
      }
      phaser.forceTermination();
    }

    void await() {
      if (phaser.arriveAndAwaitAdvance() < 0) {
        throw new IllegalStateException("a measuring thread was left alone", failure);
      }
    }
  }

  private final class LaneRun {
    private final Lane[] lanes;
    private final Turns turns;
    private final KeyWalk[] walks;
    private final PairedSamples samples = new PairedSamples();

    LaneRun(Lane lane, double startingAt, double sideDistance, Turns turns) {
      this.lanes = new Lane[] {lane, lane.otherSide()};
      this.turns = turns;
      this.walks =
          new KeyWalk[] {walk.startingAt(startingAt), walk.startingAt(startingAt + sideDistance)};
    }

    PairedSamples call() {
      try {
        takeTurns();
        return samples;
      } catch (RuntimeException | Error e) {
        turns.giveUp(e);
        throw e;
      }
    }

    private void takeTurns() {
      boolean candidateFirst = true;
      do {
        samples.nextPair();
        turns.await();
        measure(candidateFirst ? PairedSamples.CANDIDATE : PairedSamples.RAW);
        turns.await();
        measure(candidateFirst ? PairedSamples.RAW : PairedSamples.CANDIDATE);
        candidateFirst = !candidateFirst;
        turns.await();
      } while (!turns.over);
    }

    private void measure(int side) {
      Side measured = sides[side];
      KeyWalk keys = walks[side];
      Lane lane = lanes[side];
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      long wall = System.nanoTime();
      long cpu = THREADS.getCurrentThreadCpuTime();
      measured.run(keys, lane, operations);
      long cpuNanos = THREADS.getCurrentThreadCpuTime() - cpu;
      long wallNanos = System.nanoTime() - wall;
      long bytes = THREADS.getCurrentThreadAllocatedBytes() - allocated;
      samples.add(side, cpuNanos, wallNanos, bytes);
    }
  }
}
