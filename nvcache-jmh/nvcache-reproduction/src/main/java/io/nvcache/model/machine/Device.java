// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A device that serves all its jobs at once, the jobs of one line at one rate (processor sharing).
 *
 * <p>Each line keeps the work that a job present since the beginning would have got; a job is done
 * when that has grown by the job's size. So a change of rates costs the same however many jobs are
 * under way.
 */
public final class Device {
  /** What a job gets, in units of work a second, by the numbers of jobs in the lines. */
  @FunctionalInterface
  interface Rates {
    /** The rate of a line that has jobs. */
    double of(int line, int firstJobs, int secondJobs);
  }

  private final Simulation simulation;
  private final Rates rates;
  private final int places;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Line first = new Line(0);
  private final Line second = new Line(1);
  private double lastSeconds;
  private double busySeconds;
  private double waitingSeconds;

  Device(Simulation simulation, Rates rates) {
    this(simulation, rates, Integer.MAX_VALUE);
  }

  /**
   * A device that serves a bounded number of jobs.
   *
   * @param places jobs served at once; more wait in the order they come
   */
  Device(Simulation simulation, Rates rates, int places) {
    this.simulation = simulation;
    this.rates = rates;
    this.places = places;
  }

  /** Reads, or the only line. */
  public Line first() {
    return first;
  }

  /** Writes. */
  public Line second() {
    return second;
  }

  /** Seconds in which there was a job. */
  public double busySeconds() {
    return busySeconds;
  }

  /** Seconds that jobs spent here, served or waiting, added up. */
  public double jobSeconds() {
    return first.jobSeconds + second.jobSeconds + waitingSeconds;
  }

  /** When the next job is done if none comes; infinity if there is none. */
  double nextEnd() {
    return Math.min(first.nextEnd, second.nextEnd);
  }

  /** Seconds that a unit of the first line would take a job that came now. */
  public double secondsPerUnit() {
    return 1 / rates.of(0, first.jobs.size() + 1, second.jobs.size());
  }

  /** Ends the job that ends now, and gives back its activity. */
  Activity complete() {
    Line line = first.nextEnd <= second.nextEnd ? first : second;
    advance(line.nextEnd);
    line.done = line.jobs.firstEnd(); // Exactly, or a rounding error would leave a part of a byte.
    Activity activity = line.jobs.poll();
    Waiting next = waiting.poll();
    if (next != null) {
      next.line.begin(next.activity, next.amount);
    }
    update();
    return activity;
  }

  /** Lets time pass. */
  void advance(double nowSeconds) {
    double passed = nowSeconds - lastSeconds;
    if (passed > 0) {
      if (first.jobs.size() + second.jobs.size() > 0) {
        busySeconds += passed;
      }
      first.advance(passed);
      second.advance(passed);
      waitingSeconds += waiting.size() * passed;
    }
    lastSeconds = nowSeconds;
  }

  private void update() {
    int readers = first.jobs.size();
    int writers = second.jobs.size();
    first.rate = readers == 0 ? 0 : rates.of(0, readers, writers);
    second.rate = writers == 0 ? 0 : rates.of(1, readers, writers);
    first.nextEnd = first.nextEnd();
    second.nextEnd = second.nextEnd();
  }

  private record Waiting(Line line, Activity activity, double amount) {}

  /** Jobs of one kind. */
  public final class Line implements Station {
    private final int number;
    private final JobHeap jobs = new JobHeap();
    private double done;
    private double rate;
    private double nextEnd = Double.POSITIVE_INFINITY;
    private double total;
    private double jobSeconds;

    private Line(int number) {
      this.number = number;
    }

    @Override
    public void enter(Activity activity, double amount) {
      Device.this.advance(simulation.nowSeconds());
      total += amount;
      if (first.jobs.size() + second.jobs.size() < places) {
        begin(activity, amount);
        update();
      } else {
        waiting.add(new Waiting(this, activity, amount));
      }
    }

    private void begin(Activity activity, double amount) {
      jobs.add(done + amount, activity);
    }

    /** How many jobs are under way. */
    public int jobs() {
      return jobs.size();
    }

    /** The work of all jobs that ever came. */
    public double total() {
      return total;
    }

    private void advance(double passed) {
      done += rate * passed;
      jobSeconds += jobs.size() * passed;
    }

    private double nextEnd() {
      return jobs.size() == 0
          ? Double.POSITIVE_INFINITY
          : lastSeconds + Math.max(0, jobs.firstEnd() - done) / rate;
    }

    @Override
    public String toString() {
      return "line " + number;
    }
  }
}
