// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import com.sun.management.ThreadMXBean;
import io.nvcache.bench.contender.Lane;
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
public final class PairedSampler {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** Instead of a side. */
  private static final int NEITHER = -1;

  private final Side[] sides;
  private final int operations;
  private final KeyWalk walk;

  /** The side that the lanes run one after the other, while the others wait unmeasured. */
  private final int alone;

  /**
   * Prepares a measurement.
   *
   * @param operations between two readings of the clocks
   * @param walk the keys; each lane and each side goes through them on its own, as far apart as can
   *     be: one that followed another would find its blocks in the processor's cache
   */
  public PairedSampler(Side candidate, Side raw, int operations, KeyWalk walk) {
    this(new Side[] {candidate, raw}, operations, walk, NEITHER);
  }

  private PairedSampler(Side[] sides, int operations, KeyWalk walk, int alone) {
    this.sides = sides;
    this.operations = operations;
    this.walk = walk;
    this.alone = alone;
  }

  /** Compares a side that all lanes run together with itself when each has its turn alone. */
  public static PairedSampler togetherAndAlone(Side side, int operations, KeyWalk walk) {
    return new PairedSampler(new Side[] {side, side}, operations, walk, PairedSamples.RAW);
  }

  /** Runs pairs for so long, at least one. */
  public PairedSamples run(List<Lane> lanes, long nanos) {
    long deadline = System.nanoTime() + nanos;
    Turns turns = new Turns(lanes.size(), deadline);
    if (lanes.size() == 1) {
      return new LaneRun(lanes.get(0), 0, 0, 0.5, turns).call();
    }
    ExecutorService threads = Executors.newFixedThreadPool(lanes.size());
    try {
      List<Future<PairedSamples>> running = new ArrayList<>();
      for (int i = 0; i < lanes.size(); i++) {
        double distance = 1.0 / lanes.size();
        LaneRun run = new LaneRun(lanes.get(i), i, i * distance, distance / 2, turns);
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

    private final int lanes;
    private volatile boolean over;
    private volatile @Nullable Throwable failure;

    Turns(int lanes, long deadline) {
      this.lanes = lanes;
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
    private final int number;
    private final Turns turns;
    private final KeyWalk[] walks;
    private final PairedSamples samples = new PairedSamples();

    LaneRun(Lane lane, int number, double startingAt, double sideDistance, Turns turns) {
      this.lanes = new Lane[] {lane, lane.otherSide()};
      this.number = number;
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
        takeTurn(candidateFirst ? PairedSamples.CANDIDATE : PairedSamples.RAW);
        takeTurn(candidateFirst ? PairedSamples.RAW : PairedSamples.CANDIDATE);
        candidateFirst = !candidateFirst;
        turns.await();
      } while (!turns.over);
    }

    private void takeTurn(int side) {
      turns.await();
      if (side != alone) {
        measure(side);
        return;
      }
      for (int lane = 0; lane < turns.lanes; lane++) {
        if (lane == number) {
          measure(side);
        }
        turns.await();
      }
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

  /** One side of a pair: a separate loop, so that each call site in it sees one class only. */
  @FunctionalInterface
  public interface Side {
    void run(KeyWalk walk, Lane lane, int operations);
  }
}
