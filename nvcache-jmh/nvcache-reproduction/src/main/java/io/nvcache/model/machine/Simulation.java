// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.machine;

import java.util.List;

/** Virtual time: from the end of one job to the end of the next. */
public final class Simulation {
  private final JobHeap delays = new JobHeap();
  private double now;

  /** A station without limit: the amount is seconds. */
  private final Station delay = (activity, seconds) -> delays.add(now + seconds, activity);

  /** Seconds since the beginning. */
  public double nowSeconds() {
    return now;
  }

  public Station delay() {
    return delay;
  }

  /** Runs until nothing is left to do or the time is up. */
  void run(List<Device> devices, double endSeconds) {
    Device[] all = devices.toArray(new Device[0]);
    while (true) {
      double next = delays.firstEnd();
      Device at = null;
      for (Device device : all) {
        if (device.nextEnd() < next) {
          next = device.nextEnd();
          at = device;
        }
      }
      if (next > endSeconds || next == Double.POSITIVE_INFINITY) {
        break;
      }
      now = next;
      Activity activity = at == null ? delays.poll() : at.complete();
      activity.resume();
    }
    if (endSeconds < Double.POSITIVE_INFINITY) {
      now = endSeconds;
    }
    for (Device device : all) {
      device.advance(now);
    }
  }
}
